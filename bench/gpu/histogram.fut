-- As on the processor (../cpu/histogram.fut).
-- ==
-- nobench script input { input 64i64 100000i64 } auto output
-- structure run { launches 2 waits 1 sent 0 received 0 }
-- notest script input { input 1024i64 10000000i64 }

module program = import "../cpu/histogram"

entry input = program.input

entry main = program.main

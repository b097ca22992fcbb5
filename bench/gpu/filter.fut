-- As on the processor (../cpu/filter.fut).
-- ==
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 8 }
-- notest script input { input 10000000i64 }

module program = import "../cpu/filter"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/dot.fut).
-- ==
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 2 waits 1 sent 0 received 4 }
-- notest script input { input 10000000i64 }

module program = import "../cpu/dot"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/blackscholes.fut).
-- ==
-- nobench script input { input 1000i64 } auto output
-- structure run { launches 1 waits 1 }
-- notest script input { input 10000000i64 }

module program = import "../cpu/blackscholes"

entry input = program.input

entry main = program.main

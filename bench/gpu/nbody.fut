-- As on the processor (../cpu/nbody.fut).
-- ==
-- nobench script input { input 100i64 } auto output
-- structure run { launches 1 waits 1 }
-- notest script input { input 100000i64 }

module program = import "../cpu/nbody"

entry input = program.input

entry main = program.main

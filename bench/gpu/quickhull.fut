-- As on the processor (../cpu/quickhull.fut).
-- ==
-- nobench script input { input 1000i64 } auto output
-- structure run { launches 525 waits 131 }
-- notest script input { input 1000000i64 }

module program = import "../cpu/quickhull"

entry input = program.input

entry main = program.main

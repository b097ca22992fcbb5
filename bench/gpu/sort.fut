-- As on the processor (../cpu/sort.fut).
-- ==
-- nobench script input { input 5000i64 } auto output
-- structure run { launches 6 waits 1 }
-- notest script input { input 10000000i64 }

module program = import "../cpu/sort"

entry input = program.input

entry main = program.main

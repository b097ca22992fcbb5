-- As on the processor (../cpu/sort.fut).
-- ==
-- nobench script input { input 5000i64 } auto output
-- notest script input { input 10000000i64 }

module program = import "../cpu/sort"

entry input = program.input

entry main = program.main

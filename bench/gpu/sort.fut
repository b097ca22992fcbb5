-- As on the processor (../cpu/sort.fut).
-- ==
-- notest script input { input 10000000i64 }

module program = import "../cpu/sort"

entry input = program.input

entry main = program.main

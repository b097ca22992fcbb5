-- As on the processor (../cpu/filter.fut).
-- ==
-- notest script input { input 10000000i64 }

module program = import "../cpu/filter"

entry input = program.input

entry main = program.main

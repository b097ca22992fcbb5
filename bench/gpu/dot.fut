-- As on the processor (../cpu/dot.fut).
-- ==
-- notest script input { input 10000000i64 }

module program = import "../cpu/dot"

entry input = program.input

entry main = program.main

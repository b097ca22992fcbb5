-- As on the processor (../cpu/blackscholes.fut).
-- ==
-- notest script input { input 10000000i64 }

module program = import "../cpu/blackscholes"

entry input = program.input

entry main = program.main

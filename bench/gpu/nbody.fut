-- As on the processor (../cpu/nbody.fut).
-- ==
-- notest script input { input 100000i64 }

module program = import "../cpu/nbody"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/matmul.fut).
-- ==
-- notest script input { input 4096i64 }

module program = import "../cpu/matmul"

entry input = program.input

entry main = program.main

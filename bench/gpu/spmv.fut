-- As on the processor (../cpu/spmv.fut).
-- ==
-- notest script input { input 200000i64 }

module program = import "../cpu/spmv"

entry input = program.input

entry main = program.main

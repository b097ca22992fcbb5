-- As on the processor (../cpu/matmul.fut).
-- ==
-- nobench script input { input 70i64 } auto output
-- structure run { launches 1 waits 1 }
-- notest script input { input 4096i64 }

module program = import "../cpu/matmul"

entry input = program.input

entry main = program.main

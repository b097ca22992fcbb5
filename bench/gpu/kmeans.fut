-- As on the processor (../cpu/kmeans.fut).
-- ==
-- notest script input { input 32i64 16i64 1000000i64 }

module program = import "../cpu/kmeans"

entry input = program.input

entry main = program.main

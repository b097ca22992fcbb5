-- As on the processor (../cpu/kmeans.fut).
-- ==
-- nobench script input { input 4i64 3i64 1000i64 } auto output
-- structure run { launches 11 waits 1 }
-- notest script input { input 32i64 16i64 1000000i64 }

module program = import "../cpu/kmeans"

entry input = program.input

entry main = program.main

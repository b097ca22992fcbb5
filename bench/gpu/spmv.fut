-- As on the processor (../cpu/spmv.fut).
-- ==
-- nobench script input { input 300i64 } auto output
-- structure run { launches 5 waits 4 sent 0 received 24 }
-- notest script input { input 200000i64 }

module program = import "../cpu/spmv"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/scan.fut).
-- ==
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 3 waits 1 sent 0 received 0 }
-- notest script input { input 10000000i64 }

module program = import "../cpu/scan"

entry input = program.input

entry main = program.main

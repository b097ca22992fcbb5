-- As on the processor (../cpu/quicksort.fut).
-- ==
-- nobench script input { input 3000i64 } auto output
-- structure run { launches 1046 waits 281 }
-- notest script input { input 1000000i64 }

module program = import "../cpu/quicksort"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/histogram.fut).
-- ==
-- notest script input { input 1024i64 10000000i64 }

module program = import "../cpu/histogram"

entry input = program.input

entry main = program.main

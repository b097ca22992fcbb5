-- As on the processor (../cpu/scan.fut).
-- ==
-- notest script input { input 10000000i64 }

module program = import "../cpu/scan"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/hotspot.fut).
-- ==
-- notest script input { input 360i32 1024i64 }

module program = import "../cpu/hotspot"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/hotspot.fut).
-- ==
-- nobench script input { input 3i32 64i64 } auto output
-- structure run { launches 3 waits 1 sent 0 received 0 }
-- notest script input { input 360i32 1024i64 }

module program = import "../cpu/hotspot"

entry input = program.input

entry main = program.main

-- As on the processor (../cpu/mandelbrot.fut).
-- ==
-- nobench input { 30i64 40i64 50i32 } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- notest input { 4000i64 4000i64 255i32 }

module program = import "../cpu/mandelbrot"

entry main = program.main

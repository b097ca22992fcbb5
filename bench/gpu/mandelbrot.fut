-- As on the processor (../cpu/mandelbrot.fut).
-- ==
-- notest input { 4000i64 4000i64 255i32 }

module program = import "../cpu/mandelbrot"

entry main = program.main

-- For each point of a part of the plane, after how many steps it is known not to belong to
-- Mandelbrot's set. Points at its edge are known sooner or later depending on how sums are rounded,
-- which GPUs do differently, so large results are not compared.
-- ==
-- nobench input { 3i64 4i64 50i32 } output { [[1, 2, 3, 2], [1, 4, 8, 50], [1, 4, 8, 50]] }
-- nobench input { 29i64 41i64 50i32 } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- "250 x 250 x 255" notest no_cuda input { 250i64 250i64 255i32 } output @ data/mandelbrot-250x250x255.out
-- "1000 x 1000 x 255" notest input { 1000i64 1000i64 255i32 }
-- "4000 x 4000 x 255" notest no_cpu no_opencl input { 4000i64 4000i64 255i32 }

def steps (limit: i32) (a: f32) (b: f32) : i32 =
  let (_, _, i) =
    loop (x, y, i) = (0, 0, 0)
    while i < limit && x * x + y * y < 4 do
      (x * x - y * y + a, 2 * x * y + b, i + 1)
  in i

entry main (height: i64) (width: i64) (limit: i32) : [height][width]i32 =
  let coordinate (low: f32) (high: f32) (i: i64) (n: i64) =
    low + f32.i64 i * ((high - low) / f32.i64 n)
  in tabulate_2d height width (\i j ->
    steps limit
          (coordinate (-2.25) 0.75 j width)
          (coordinate (-1.25) 1.25 i height))

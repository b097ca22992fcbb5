-- Remainders and quotients of what a loop counts, rounded down and towards zero: far from zero and near it, rising and falling, with any divisor.

-- ==
-- entry: rising falling strided both
-- input { [0i64, 5i64, -5i64, 9223372036854775800i64, -9223372036854775807i64, 3i64] 7i64 20i64 } auto output
-- input { [0i64, 5i64, -5i64, 9223372036854775800i64, -9223372036854775807i64, 3i64] -7i64 20i64 } auto output
-- input { [0i64, 5i64, -5i64, 9223372036854775800i64, -9223372036854775807i64, 3i64] 1i64 20i64 } auto output
-- input { [0i64, 5i64, -5i64, 9223372036854775800i64, -9223372036854775807i64, 3i64] 9223372036854775807i64 20i64 } auto output
-- input { [0i64, 5i64, -5i64] 1000i64 1i64 } auto output
-- input { [0i64, 5i64, -5i64] 0i64 0i64 } output { [1i64, 1i64, 1i64] }
-- input { [3i64] 0i64 2i64 } error: Division by zero
-- input { empty([0]i64) 0i64 2i64 } output { empty([0]i64) }
entry rising [m] (starts: [m]i64) (b: i64) (n: i64) : [m]i64 =
  map (\a -> loop h = 1 for s < n do h * 31 + (a + s) % b) starts

entry falling [m] (starts: [m]i64) (b: i64) (n: i64) : [m]i64 =
  map (\a ->
    loop h = 1 for s < n do h * 31 + (a - s) %% b * 7 + (a - s) // b) starts

entry strided [m] (starts: [m]i64) (b: i64) (n: i64) : [m]i64 =
  map (\a -> loop h = 1 for s < n do h * 31 + (a * 3 + s * a) % b) starts

entry both [m] (starts: [m]i64) (b: i64) (n: i64) : [m]i64 =
  map (\a ->
    loop h = 1
    for s < n do
      let e = a + 5 * s
      in h * 31 + e / b * 3 + e % b + e // b * 5 + e %% b) starts

-- ==
-- entry: narrow
-- input { [0i32, 5i32, -5i32, 2147483640i32, -2147483647i32] 7i32 20i64 } auto output
-- input { [0i32, 5i32, -5i32, 2147483640i32, -2147483647i32] -7i32 20i64 } auto output
-- input { [0i32, 5i32, -5i32, 2147483640i32] 2147483647i32 20i64 } auto output
entry narrow [m] (starts: [m]i32) (b: i32) (n: i64) : [m]i32 =
  map (\a ->
    loop h = 1 for s < n do
      h * 31 + (a + i32.i64 s) % b + (i32.i64 s * 3 - a) %% b) starts

-- A ring that is read from anywhere on.
-- ==
-- entry: ring
-- input { [1f32, 2f32, 3f32, 4f32, 5f32] 7i64 } auto output
-- input { empty([0]f32) 3i64 } error: Division by zero
-- input { empty([0]f32) 0i64 } output { empty([0]f32) }
entry ring [n] (xs: [n]f32) (steps: i64) : []f32 =
  tabulate steps (\i -> loop x = 0 for s < steps do x / 2 + xs[(i + s) % n])

-- The arithmetic behind a reduction runs in its kernel: it may fail itself, and it must not run where the reduction has failed.
-- ==
-- entry: quotients
-- input { [3i64, 4i64] [1i64, 2i64] } output { 14i64 }
-- input { [3i64, 4i64] [1i64, 0i64] } error: zero
-- input { empty([0]i64) [1i64] } output { 0i64 }
entry quotients [n] [m] (xs: [n]i64) (ds: [m]i64) : i64 =
  loop total = 0 for d in ds do
    total + i64.sum (map (* d) xs) / d

-- ==
-- entry: chosen
-- input { [3i64, 4i64] [0i64, 1i64] 3i64 } output { 21i64 }
-- input { [3i64, 4i64] [0i64, 2i64] 3i64 } error: out of bounds
-- input { [3i64, 4i64] [0i64, -1i64] 1i64 } error: out of bounds
-- input { [3i64, 4i64] [0i64, 2i64] 0i64 } output { 0i64 }
entry chosen [n] [m] (xs: [n]i64) (is: [m]i64) (steps: i64) : i64 =
  loop total = 0 for k < steps do total + i64.sum (map (\i -> xs[i]) is) + k - k

-- ==
-- input { 3i64 } output { [4i64, 6i64, 9i64] }

entry main (x: i64) : [3]i64 =
  let funcs = [(+ 1), (* 2), (\y -> y * y)]
  in map (\f -> f x) funcs

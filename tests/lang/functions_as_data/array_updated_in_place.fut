-- ==
-- input { 5i64 } output { [6i64, 7i64] }

entry main (x: i64) : [2]i64 =
  let fs = replicate 2 (\y -> y)
  let fs = fs with [0] = (+ 1)
  let fs = scatter fs [1] [(+ 2)]
  in map (\f -> f x) fs

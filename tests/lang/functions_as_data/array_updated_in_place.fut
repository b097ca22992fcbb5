-- ==
-- input { 5i64 } output { [5i64, 7i64] }

def set (fs: *[2](i64 -> i64)) : *[2](i64 -> i64) = fs with [0] = (+ 1)

entry main (x: i64) : [2]i64 =
  let fs = scatter (replicate 2 (\y -> y)) [1] [(+ 2)]
  in map (\f -> f x) fs

-- ==
-- entry: copies
-- input { 2i64 7 } output { [7, 7] }
-- input { 0i64 7 } output { empty([0]i32) }
-- input { -1i64 7 } error: The size -1 is negative
entry copies (n: i64) (x: i32) : [n]i32 = replicate n x

-- ==
-- entry: of_rows
-- input { [2i64, 0i64, 1i64] } output { 3i64 }
-- input { [2i64, -5i64, 1i64] } error: The size -5 is negative
entry of_rows [n] (lens: [n]i64) : i64 =
  length (irregular.flatten (map (\len -> replicate len true) lens))

-- ==
-- entry: inner
-- input { 2i64 3i64 } output { [[0, 0, 0], [0, 0, 0]] }
-- input { 2i64 -3i64 } error: The size -3 is negative
-- input { 0i64 -3i64 } error: The size -3 is negative
entry inner (n: i64) (m: i64) : [n][m]i32 = replicate n (replicate m 0)

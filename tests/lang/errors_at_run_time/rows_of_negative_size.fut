-- No size is negative, even that of rows of which there are none.
-- ==
-- entry: mapped
-- input { 2i64 1i64 } output { [[0i64], [1i64]] 1i64 }
-- input { 0i64 0i64 } output { empty([0][0]i64) 0i64 }
-- input { 0i64 -1i64 } error: The size -1 is negative
entry mapped (n: i64) (m: i64) : ([n][m]i64, i64) =
  let rows = map (\i -> replicate m i) (iota n)
  in (rows, length (iota m))

-- ==
-- entry: shorter
-- input { [[1, 2], [3, 4]] } output { [[2], [4]] }
-- input { empty([0][1]i32) } output { empty([0][0]i32) }
-- input { empty([0][0]i32) } error: The size -1 is negative
entry shorter [n] [m] (xss: [n][m]i32) : [n][m - 1]i32 =
  map (\xs -> xs[1:] :> [m - 1]i32) xss

-- ==
-- entry: none
-- input { 3i64 } output { 3i64 }
-- input { -2i64 } error: The size -2 is negative
entry none (m: i64) : i64 =
  let rows: [0][m]i32 = []
  in length (transpose rows)

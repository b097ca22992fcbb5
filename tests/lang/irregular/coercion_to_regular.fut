-- ==
-- input { [2i64, 2i64] } output { [0i64, 2i64] }
-- input { [2i64, 3i64] } error:

entry main [n] (is: [n]i64) : []i64 =
  let square = map iota is :> [n][2]i64
  in map i64.sum (transpose square)

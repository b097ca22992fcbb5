def thin [n] [m] (xss: [n][m]i64) : [n][?]i64 =
  loop rows = xss :> [n][?]i64 for i < 10 do map (filter (> i)) rows

-- ==
-- entry: parts
-- input { [[1i64, 20i64, 10i64], [9i64, 3i64, 12i64], [0i64, 1i64, 9i64]] } output { [2i64, 1i64, 0i64] [20i64, 10i64, 12i64] }
-- input { empty([0][2]i64) } output { empty([0]i64) empty([0]i64) }
-- input { empty([2][0]i64) } output { [0i64, 0i64] empty([0]i64) }
entry parts [n] [m] (xss: [n][m]i64) : ([n]i64, []i64) =
  let rows = thin xss
  in (lengths rows, irregular.flatten rows)

def rows [n] [m] (xss: [n][m]i64) : [n][?]i64 = xss :> [n][?]i64

-- ==
-- entry: parts
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [3i64, 3i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] }
-- input { [[7i64]] } output { [1i64] [7i64] }
-- input { empty([0][3]i64) } output { empty([0]i64) empty([0]i64) }
-- input { empty([2][0]i64) } output { [0i64, 0i64] empty([0]i64) }
entry parts [n] [m] (xss: [n][m]i64) : ([n]i64, []i64) =
  let yss = rows xss
  in (lengths yss, irregular.flatten yss)

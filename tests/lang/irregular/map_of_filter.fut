-- ==
-- input { [[1i64, -2i64, 3i64], [-4i64, -5i64, 6i64]] } output { [2i64, 1i64] }

entry main [n] [m] (xss: [n][m]i64) : [n]i64 =
  let rows: [n][?]i64 = map (filter (> 0)) xss
  in map length rows

-- ==
-- input { [2i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 2i64] }

entry main [n] (is: [n]i64) : []i64 =
  loop all = [] for row in map iota is do all ++ row

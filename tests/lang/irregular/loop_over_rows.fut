-- ==
-- input { [3i64, 1i64, 2i64] } output { 4i64 }

entry main [n] (is: [n]i64) : i64 =
  loop sum = 0 for row in map iota is do sum + i64.sum row

-- ==
-- input { [3i64, 1i64, 2i64] } output { [3i64, 0i64, 1i64] }

entry main [n] (is: [n]i64) : [n]i64 = map i64.sum (map iota is)[:, 1:]

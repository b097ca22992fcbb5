-- ==
-- input { } output { [5i64, 0i64, 5i64] }

entry main : [3]i64 = map length ["hello", "", "world"]

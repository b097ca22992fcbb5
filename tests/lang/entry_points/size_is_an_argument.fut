-- An argument can say how long another one is.
-- ==
-- input { 2i64 [1, 2] } output { [1, 2] }
-- input { 1i64 [1, 2] } error:

entry main (n: i64) (xs: [n]i32) : [n]i32 = xs

-- ==
-- entry: double
-- input { 3 } output { 6 }

-- ==
-- entry: sum
-- input { [1, 2, 3] } output { 6 }

entry double (x: i32) : i32 = 2 * x

entry sum [n] (xs: [n]i32) : i32 = i32.sum xs

def triangle (n: i64) : [n][?]i64 = map (\i -> iota i) (iota n)

-- ==
-- entry: sums
-- input { 5i64 } output { [0i64, 0i64, 1i64, 3i64, 6i64] }
-- input { 1i64 } output { [0i64] }
-- input { 0i64 } output { empty([0]i64) }
entry sums (n: i64) : [n]i64 = map i64.sum (triangle n)

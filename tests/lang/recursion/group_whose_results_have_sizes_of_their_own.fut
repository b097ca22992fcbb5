-- ==
-- entry: shrink
-- input { [5i64, 7i64, 3i64, 9i64] } output { [1i64] }
-- input { [0i64, 1i64] } output { [1i64] }
-- input { [4i64] } output { [4i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry shrink [n] (xs: [n]i64) : []i64 =
  if n < 2 then xs else grow (filter (> xs[0]) xs)
with def grow [n] (xs: [n]i64) : []i64 = shrink (xs ++ [1])

-- ==
-- entry: same
-- input { 3i64 [1i64, 5i64] } output { [4i64, 8i64] }
-- input { 0i64 [1i64, 5i64] } output { [1i64, 5i64] }
-- input { 3i64 empty([0]i64) } output { empty([0]i64) }
entry same [n] (depth: i64) (xs: [n]i64) : [n]i64 =
  if depth == 0 then xs else step (depth - 1) xs
with def step [n] (depth: i64) (xs: [n]i64) : [n]i64 = map (+ 1) (same depth xs)

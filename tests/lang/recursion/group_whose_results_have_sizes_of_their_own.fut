def shrink [n] (xs: [n]i64) : []i64 =
  if n < 2 then xs else grow (filter (> xs[0]) xs)
with def grow [n] (xs: [n]i64) : []i64 = shrink (xs ++ [1])

def same [n] (depth: i64) (xs: [n]i64) : [n]i64 =
  if depth == 0 then xs else step (depth - 1) xs
with def step [n] (depth: i64) (xs: [n]i64) : [n]i64 = map (+ 1) (same depth xs)

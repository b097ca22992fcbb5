-- The size is another one in each call.
-- ==
-- input { [5i64, 3i64, 1i64] } output { 3i64 }

def add [n] (xs: [n]i64) : i64 = if n == 0 then 0 else xs[0] + subtract xs[1:]
with def subtract [n] (xs: [n]i64) : i64 =
  if n == 0 then 0 else add xs[1:] - xs[0]

entry main [n] (xs: [n]i64) : i64 = add xs

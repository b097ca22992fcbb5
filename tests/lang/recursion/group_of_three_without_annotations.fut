-- ==
-- input { 10i64 } output { 4i64 }

def a n = if n <= 0i64 then 0i64 else b (n - 1)
with def b n = c n + 1
with def c n = a (n - 2)

entry main (n: i64) : i64 = a n

-- ==
-- input { 2i64 5i64 } output { 21i64 }

def f (n: i64) : i64 -> i64 = if n == 0 then (+ 1) else g (n - 1)
with def g (n: i64) : i64 -> i64 = \x -> f n (x * 2)

entry main (n: i64) (x: i64) : i64 = f n x

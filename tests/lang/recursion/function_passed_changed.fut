-- The continuation that is passed on is another one in each call.
-- ==
-- input { 5i64 } output { 120i64 }

def factorial (n: i64) (k: i64 -> i64) : i64 =
  if n == 0 then k 1 else factorial (n - 1) (\r -> k (n * r))

entry main (n: i64) : i64 = factorial n (\r -> r)

-- ==
-- input { 3i64 4i64 } output { 10i64 }

def twice_after (n: i64) (f: i64 -> i64) : i64 -> i64 =
  if n == 0
  then (\x -> x)
  else let g = twice_after (n - 1) f in \x -> f (g x)

entry main (n: i64) (x: i64) : i64 = twice_after n (+ 2) x

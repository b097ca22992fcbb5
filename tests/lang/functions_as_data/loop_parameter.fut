-- ==
-- input { 4i64 1i64 } output { 16i64 }

def iterate (n: i64) (f: i64 -> i64) : i64 -> i64 =
  loop g = \x -> x for _i < n do \x -> f (g x)

entry main (n: i64) (x: i64) : i64 = iterate n (* 2) x

-- ==
-- input { 3i64 } output { 4i64 }

def choose 'a (b: bool) (x: a) (y: a) : a = if b then x else y

entry main (x: i64) : i64 = choose true (+ 1) (* 2) x

-- Two rows that must have one length are compared when the program runs.
-- ==
-- input { [2i64, 1i64] [2i64, 1i64] } output { [2i64, 0i64] }
-- input { [2i64, 1i64] [1i64, 2i64] } error:

def plus [n] (xss: [n][?]i64) (yss: [n][?]i64) : [n][?]i64 =
  map2 (map2 (+)) xss yss

entry main [n] (is: [n]i64) (js: [n]i64) : [n]i64 =
  map i64.sum (plus (map iota is) (map iota js))

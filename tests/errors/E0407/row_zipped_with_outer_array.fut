def f [n] (xss: [n][?]i64) (ys: [3]i64) : [n]i64 =
  map (\xs -> i64.sum (map2 (*) xs ys)) xss

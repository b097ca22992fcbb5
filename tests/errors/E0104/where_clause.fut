def f (x: i64) = y + 1
  where y = x * x

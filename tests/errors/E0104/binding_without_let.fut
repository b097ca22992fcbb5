def f (x: i64): i64 =
  y = x + 1
  in y

def f (x: i64) =
  let mut y = x + 1
  in y * 2

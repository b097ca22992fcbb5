def f (p: (i32, i32)) =
  let (1, y) = p
  in y

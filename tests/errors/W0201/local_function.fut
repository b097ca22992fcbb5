def f (x: i32) =
  let g (y: i32) = y + 1
  in x

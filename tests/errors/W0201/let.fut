def f (x: i32) =
  let unused = x + 1
  in x

def f (x: i32) =
  let g [n] (y: i32) = x + y
  in g 1

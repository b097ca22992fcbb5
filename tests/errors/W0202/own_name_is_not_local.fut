def square (x: i64) =
  let g = \square -> square + x
  let h = \x -> x + 1
  in g (h x)

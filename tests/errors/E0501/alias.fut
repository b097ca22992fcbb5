def f (xs: *[]i32) =
  let ys = xs
  let zs = xs with [0] = 1
  in (ys, zs)

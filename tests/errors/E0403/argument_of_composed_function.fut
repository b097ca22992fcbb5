def f (xs: []i32) =
  let g 'a (p: a -> bool) (x: a) = p x
  in g (\ys -> length (zip ys ys) > 0) (filter (> 0) xs)

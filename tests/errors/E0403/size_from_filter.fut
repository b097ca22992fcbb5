def f (xs: []i32) =
  let g = map2 (+)
  in g (filter (> 0) xs) (filter (> 0) xs)

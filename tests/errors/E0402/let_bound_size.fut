def f (xs: []i64) =
  map (\(i: i64) -> let n = i + 1 let ys: [n]i64 = replicate n i in (ys, xs)) xs

def sort (xs: []i32) : []i32 =
  if length xs < 2
  then xs
  else
    let pivot = xs[0]
    let parts: [2][?]i32 = map sort [filter (< pivot) xs, filter (> pivot) xs]
    in parts[0] ++ filter (== pivot) xs ++ parts[1]

-- ==
-- entry: sort
-- input { [5, 3, 9, 3, 1, -4, 8, 3] } output { [-4, 1, 3, 3, 3, 5, 8, 9] }
-- input { [1, 2, 3, 4] } output { [1, 2, 3, 4] }
-- input { [4, 3, 2, 1] } output { [1, 2, 3, 4] }
-- input { [2, 2, 2] } output { [2, 2, 2] }
-- input { [7] } output { [7] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry sort (xs: []i32) : []i32 =
  if length xs < 2
  then xs
  else
    let pivot = xs[0]
    let parts: [2][?]i32 = map sort [filter (< pivot) xs, filter (> pivot) xs]
    in parts[0] ++ filter (== pivot) xs ++ parts[1]

-- An array is copied where somebody else still needs it, and only there.
-- ==
-- entry: needed_again
-- input { [1, 2, 3] } output { [2, 3, 4] [0, 3, 4] }
-- structure nest { copy 2 }
entry needed_again [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let ys = map (+ 1) xs
  in (ys, copy ys with [0] = 0)

-- ==
-- entry: not_needed_again
-- input { [1, 2, 3] } output { [0, 3, 4] }
entry not_needed_again [n] (xs: [n]i32) : [n]i32 =
  let ys = map (+ 1) xs
  in copy ys with [0] = 0

-- ==
-- entry: unzipped
-- input { [1, 2, 3] } output { [0, 3, 4] [2, 4, 6] }
entry unzipped [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let (ys, zs) = unzip (map (\x -> (x + 1, x * 2)) xs)
  in (copy ys with [0] = 0, zs)

-- ==
-- entry: given
-- input { [1, 2, 3] } output { [0, 2, 3] }
entry given [n] (xs: [n]i32) : [n]i32 =
  copy xs with [0] = 0

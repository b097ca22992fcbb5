-- What is computed for a filter, a scatter or a histogram is computed in it, and so is what is made of what a filter
-- keeps.
-- ==
-- entry: filtered
-- input { [3, 1, 2] } output { [16, 6] }
-- structure nest { filter 1 partition 1 scatter 1 hist 1 map 0 range 0 replicate 2 }
-- structure flat { grid 4 }
entry filtered [n] (xs: [n]i32) : []i32 =
  map (* 2) (filter (> 0) (map (\x -> x * x - 1) xs))

-- ==
-- entry: parted
-- input { [3, 1, 2] } output { [9, 1] [4] }
entry parted [n] (xs: [n]i32) : ([]i32, []i32) =
  partition (\x -> x % 2 == 1) (map (\x -> x * x) xs)

-- ==
-- entry: scattered
-- input { [3, 1, 2] } output { [0, 1, 2, 3] }
entry scattered [n] (xs: [n]i32) : [4]i32 =
  scatter (replicate 4 0) (map i64.i32 xs) (map (\x -> x * x / x) xs)

-- ==
-- entry: counted
-- input { [3, 1, 2, 7] } output { [0, 1, 1, 2] }
entry counted [n] (xs: [n]i32) : [4]i32 =
  let bins = map (\x -> i64.i32 (x & 3)) xs
  in reduce_by_index (replicate 4 0) (+) 0 bins (map (const 1) bins)

-- A scan that adds up rows is one of each column. What it yields is a view of that, also where it is one of several versions.
-- ==
-- entry: sums
-- input { [2, 3] [[1, 2], [3, 4], [5, 6]] } output { [28, 42] }
-- input { [1, 0, -1] [[1], [1], [1], [7]] } output { [16, 0, -16] }
entry sums [k] [d] [u] (gains: [k]i32) (steps: [d][u]i32) : [k]i32 =
  map (\gain ->
         let added = scan (map2 (+)) (replicate u 0) (map (map (* gain)) steps)
         in i32.sum (map head added))
      gains

-- ==
-- entry: paths
-- input { [2, 3] [[[1, 2], [3, 4], [5, 6]]] } output { [[[2, 8, 18], [3, 12, 27]]] }
-- input { [1] [[[1, 2]], [[5, 5]]] } output { [[[1]], [[5]]] }
entry paths [n] [k] [d] [u] (gains: [k]i32) (all: [n][d][u]i32) : [n][k][d]i32 =
  map (\steps ->
         map (\gain -> map head (scan (map2 (+)) (replicate u 0) (map (map (* gain)) steps))) gains)
      all

-- ==
-- entry: whole
-- input { [2, 3] [[[1, 2], [3, 4], [5, 6]]] } output { [[[[2, 4], [8, 12], [18, 24]], [[3, 6], [12, 18], [27, 36]]]] }
entry whole [n] [k] [d] [u] (gains: [k]i32) (all: [n][d][u]i32) : [n][k][d][u]i32 =
  map (\steps -> map (\gain -> scan (map2 (+)) (replicate u 0) (map (map (* gain)) steps)) gains) all

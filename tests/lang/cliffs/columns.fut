-- Reductions and scans of rows, position by position, are over all columns, with a map in front of them or without.

-- ==
-- tune @ apart.tune
-- entry: sums sums_of_columns sums_by_index
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [35.0f32, 56.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry sums [n] [m] (xss: [n][m]f32) : [m]f32 =
  reduce (map2 (+)) (replicate m 0) (map (map (\x -> x * x)) xss)

entry sums_of_columns [n] [m] (xss: [n][m]f32) : [m]f32 =
  map (\xs -> f32.sum (map (\x -> x * x) xs)) (transpose xss)

entry sums_by_index [n] [m] (xss: [n][m]f32) : [m]f32 =
  tabulate m (\j -> reduce (+) 0 (map (\xs -> xs[j] * xs[j]) xss))

-- ==
-- entry: bare bare_of_columns
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [9.0f32, 12.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry bare [n] [m] (xss: [n][m]f32) : [m]f32 =
  reduce (map2 (+)) (replicate m 0) xss

entry bare_of_columns [n] [m] (xss: [n][m]f32) : [m]f32 =
  map (reduce_comm (+) 0) (transpose xss)

-- A loop adds floats in its order, a row at a time.
-- ==
-- entry: bare_by_loop
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [9.0f32, 12.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry bare_by_loop [n] [m] (xss: [n][m]f32) : [m]f32 =
  loop s = replicate m 0 for xs in xss do map2 (+) s xs

-- ==
-- entry: most most_of_columns most_by_index
-- input { [[1, 5, 2], [3, 0, 4], [2, 6, 1]] }
-- output { [[6i32, 7i32, 3i32], [6i32, 7i32, 7i32], [8i32, 7i32, 7i32]] } structure run { launches 4 waits 1 sent 0 received 0 }
entry most [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  scan (map2 i32.max)
       (replicate m 0)
       (map (\xs -> map2 (+) xs (rotate 1 xs)) xss)

entry most_of_columns [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  transpose (map (scan i32.max 0)
                 (transpose (map (\xs -> map2 (+) xs (rotate 1 xs)) xss)))

entry most_by_index [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  scan (\xs ys -> map2 (\x y -> i32.max y x) xs ys)
       (map (const 0) (iota m))
       (tabulate_2d n m (\i j -> xss[i, j] + xss[i, (j + 1) % m]))

-- Inside maps.
-- ==
-- entry: walks
-- input { [1, 2, 3] [[[1, 5], [3, 0]], [[2, 6], [1, 1]]] }
-- output { [[[1i32, 4i32], [2i32, 8i32], [3i32, 12i32]], [[2i32, 3i32], [4i32, 6i32], [6i32, 9i32]]] } structure run { launches 5 waits 1 sent 0 received 0 }
entry walks [n] [k] [d] [u]
            (gains: [k]i32)
            (walks: [n][d][u]i32) : [n][k][d]i32 =
  map (\walk ->
    map (\g ->
      map (\row -> row[0])
          (scan (map2 (+)) (replicate u 0) (map (map (* g)) walk))) gains) walks

-- The slice of what was scanned is a copy of its own.
-- ==
-- entry: walks_by_index
-- input { [1, 2, 3] [[[1, 5], [3, 0]], [[2, 6], [1, 1]]] }
-- output { [[[1i32, 4i32], [2i32, 8i32], [3i32, 12i32]], [[2i32, 3i32], [4i32, 6i32], [6i32, 9i32]]] } structure run { launches 5 waits 1 sent 0 received 0 }
entry walks_by_index [n] [k] [d] [u]
                     (gains: [k]i32)
                     (walks: [n][d][u]i32) : [n][k][d]i32 =
  let sums i g =
    scan (\a b -> map2 (+) b a)
         (replicate u 0)
         (tabulate_2d d u (\t j -> g * walks[i, t, j]))
  in tabulate n (\i -> map (\g -> (sums i g)[:, 0]) gains)

-- ==
-- entry: rows rows_by_number rows_by_loop
-- input { [[1, 5, 2], [3, 0, 4]] }
-- output { [[-4i32, 3i32, 3i32], [3i32, 3i32, 3i32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry rows [r] [n] (xss: [r][n]i32) : [r][n]i32 =
  map (\xs -> scan i32.max (-9) (map2 (-) xs (rotate 1 xs))) xss

entry rows_by_number [r] [n] (xss: [r][n]i32) : [r][n]i32 =
  tabulate r (\i ->
    scan (\a b -> i32.max b a)
         (-9)
         (tabulate n (\j -> xss[i, j] - xss[i, (j + 1) % n])))

entry rows_by_loop [r] [n] (xss: [r][n]i32) : [r][n]i32 =
  let less = map (\xs -> map2 (-) xs (rotate 1 xs)) xss
  in map (\xs -> scan i32.max (-9) xs) less

-- Sums of matrices.
-- ==
-- entry: matrices matrices_by_index
-- input { [[[1f32, 2f32], [3f32, 4f32]], [[5f32, 6f32], [7f32, 8f32]], [[1f32, 1f32], [1f32, 1f32]]] }
-- output { [[7.0f32, 9.0f32], [11.0f32, 13.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry matrices [n] [m] [k] (xsss: [n][m][k]f32) : [m][k]f32 =
  reduce (map2 (map2 (+))) (replicate m (replicate k 0)) xsss

entry matrices_by_index [n] [m] [k] (xsss: [n][m][k]f32) : [m][k]f32 =
  tabulate_2d m k (\j l -> f32.sum (map (\xss -> xss[j, l]) xsss))

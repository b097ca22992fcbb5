-- Threads that read rows of a matrix which they choose by an index: neighbours share it.
-- ==
-- entry: experts
-- script input { (inputs 130i64 130i64 3i64 40i64) }
-- auto output
-- script input { (inputs 9i64 7i64 2i64 5i64) }
-- auto output
-- script input { (inputs 0i64 130i64 3i64 40i64) }
-- auto output

-- ==
-- entry: of_two_indices
-- script input { (inputs 130i64 130i64 3i64 40i64) }
-- auto output

-- ==
-- entry: between
-- script input { (inputs 12i64 130i64 3i64 40i64) }
-- auto output

-- ==
-- entry: in_a_loop
-- script input { (inputs 130i64 129i64 3i64 33i64) }
-- auto output
entry inputs (n: i64)
             (d: i64)
             (e: i64)
             (h: i64) : ([n][d]i32, [e][h][d]i32, [n]i64) =
  ( tabulate_2d n d (\i j -> i32.i64 ((i * 31 + j * 17) % 23))
  , tabulate_3d e h d (\a b c -> i32.i64 ((a * 31 + b * 17 + c * 3) % 29))
  , tabulate n (\i -> (i * 7919) % e)
  )

entry experts [n] [d] [e] [h]
              (xs: [n][d]i32)
              (ws: [e][h][d]i32)
              (which: [n]i64) : [n][h]i32 =
  map2 (\x k -> map (\w -> i32.max 0 (i32.sum (map2 (*) w x))) ws[k]) xs which

-- The matrix is chosen by two indices, one of them a number of all threads.
entry of_two_indices [n] [d] [e] [h]
                     (xs: [n][d]i32)
                     (ws: [e][h][d]i32)
                     (which: [n]i64) : [n][h]i32 =
  let wss = tabulate 2 (\k -> map (map (map (+ i32.i64 k))) ws)
  in map2 (\x k -> map (\w -> i32.sum (map2 (-) w x)) wss[1, (k + 1) % e])
          xs
          which

-- Another dimension of the space lies between.
entry between [n] [d] [e] [h]
              (xs: [n][d]i32)
              (ws: [e][h][d]i32)
              (which: [n]i64) : [n][8][h]i32 =
  map2 (\x k ->
    tabulate 8 (\c ->
      map (\w -> i32.sum (map2 (\a b -> a * b + i32.i64 c) w x))
          ws[k])) xs which

entry in_a_loop [n] [d] [e] [h]
                (xs: [n][d]i32)
                (ws: [e][h][d]i32)
                (which: [n]i64) : [n][h]i32 =
  map2 (\x k ->
    tabulate h (\j ->
      loop s = 0 for i < d do s * 3 + ws[k, j, d - 1 - i] * x[i])) xs which

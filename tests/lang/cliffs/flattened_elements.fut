-- What a histogram, scatter, filter or scan takes of a flattened matrix that maps make is computed by its kernel, and not stored.

-- ==
-- entry: histogram
-- input { 6i64 [0i64, 1i64, 2i64] [1f32, 2f32, 4f32] [[0u8, 1u8], [1u8, 1u8], [0u8, 1u8]] }
-- output { [2f32, 0f32, 2f32, 2f32, 8f32, 0f32] } structure run { launches 3 waits 1 sent 0 received 0 }
entry histogram [n] [m]
                (k: i64)
                (rows: [n]i64)
                (gs: [n]f32)
                (bins: [n][m]u8) : [k]f32 =
  reduce_by_index (replicate k 0)
                  (+)
                  0
                  (flatten (map2 (\r bs ->
                                    map2 (\j b -> (r * m + (i64.u8 b + j) % m))
                                         (iota m)
                                         bs)
                                 rows
                                 bins))
                  (flatten (map (\g -> replicate m g) gs))

-- The index of each element may be out of bounds for all that the compiler knows, so a kernel checks first.
-- ==
-- entry: histogram_by_number
-- input { 6i64 [0i64, 1i64, 2i64] [1f32, 2f32, 4f32] [[0u8, 1u8], [1u8, 1u8], [0u8, 1u8]] }
-- output { [2f32, 0f32, 2f32, 2f32, 8f32, 0f32] } structure run { launches 4 waits 1 sent 0 received 0 }
entry histogram_by_number
    [n] [m]
    (k: i64)
    (rows: [n]i64)
    (gs: [n]f32)
    (bins: [n][m]u8) : [k]f32 =
  reduce_by_index (replicate k 0)
                  (+)
                  0
                  (map (\e ->
                          rows[e / m] * m
                          + (i64.u8 bins[e / m, e % m] + e % m) % m)
                       (iota (n * m)))
                  (map (\e -> gs[e / m]) (iota (n * m)))

-- The matrix is wanted, too.
-- ==
-- entry: levels
-- input { 3i64 4i64 }
-- output { [7i32, 1i32, 3i32, 1i32] [[0u8, 0u8, 0u8, 0u8], [0u8, 1u8, 2u8, 3u8], [0u8, 2u8, 0u8, 2u8]] }
-- structure run { launches 3 }
entry levels (h: i64) (w: i64) : ([4]i32, [h][w]u8) =
  let image = tabulate_2d h w (\y x -> u8.i64 ((y * x) % 4))
  let counts =
    hist (+) 0 4 (map i64.u8 (flatten image)) (map (const 1) (flatten image))
  in (counts, image)

-- ==
-- entry: positive
-- input { [[1f32, -2f32], [3f32, 4f32], [0f32, 1f32]] [0f32, 3f32, 0f32] }
-- output { [1f32, 1f32, 1f32] } structure run { launches 1 }
-- input { empty([0][2]f32) empty([0]f32) } output { empty([0]f32) }
-- input { empty([2][0]f32) [1f32, 2f32] } output { empty([0]f32) }
entry positive [n] [m] (xss: [n][m]f32) (ts: [n]f32) : []f32 =
  filter (> 0) (flatten (map2 (\t xs -> map (\x -> x - t) xs) ts xss))

-- ==
-- entry: places
-- input { [[1i64, 2i64], [3i64, 4i64]] [1i64, 2i64] } output { [[2i64, 5i64], [12i64, 21i64]] } structure run { launches 1 }
entry places [n] [m] (xss: [n][m]i64) (ts: [n]i64) : [n][m]i64 =
  unflatten (scan (+)
                  0
                  (flatten (map2 (\t xs ->
                                    map (\x ->
                                           x * t
                                           + (if x > t
                                              then 1
                                              else i64.bool (t == 1)))
                                        xs)
                                 ts
                                 xss)))

-- ==
-- entry: spread
-- input { [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32] [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]] [1i64, 0i64] }
-- output { [15i32, 16i32, 17i32, 18i32, 11i32, 12i32, 13i32, 14i32] } structure run { launches 1 }
entry spread [n] [m] [k]
             (dest: *[]i32)
             (xsss: [n][m][k]i32)
             (to: [n]i64) : []i32 =
  let is = map (\t -> tabulate_2d m k (\i j -> (t * m + i) * k + j)) to
  in scatter dest (flatten_3d is) (flatten_3d (map (map (map (+ 10))) xsss))

-- Rows of different lengths that are flattened for a histogram are not stored.
-- ==
-- entry: targets
-- input { [0i64, 2i64, 2i64] [2i64, 0i64, 3i64] [0i64, 2i64, 1i64, 2i64, 2i64] } output { [1i64, 1i64, 3i64] } structure run { launches 4 waits 2 }
entry targets [n] [m] (offs: [n]i64) (lens: [n]i64) (to: [m]i64) : [n]i64 =
  let all = irregular.flatten (map2 (\o l -> to[o:o + l]) offs lens)
  in hist (+) 0 n all (map (const 1) all)

-- Windows of several layers, times weights: rows of rows, of which none is stored; the weights are flattened, too, or a vector.
-- ==
-- entry: convolved convolved_by_vector
-- input { [[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]], [[0f32, 1f32, 0f32], [2f32, 0f32, 1f32]]] [[[1f32, 0f32], [0f32, 1f32]], [[0f32, -1f32], [3f32, 0f32]]] }
-- output { [[11f32, 8f32]] } structure run { launches 1 }
-- input { empty([0][2][3]f32) empty([0][2][2]f32) } output { [[0f32, 0f32]] }
entry convolved [c] [n] [m] [k]
                (image: [c][n][m]f32)
                (weights: [c][k][k]f32) : [][]f32 =
  tabulate_2d (n - k + 1) (m - k + 1) (\y x ->
    let window =
      map (\p -> map (\r -> r[x:x + k] :> [k]f32) (p[y:y + k] :> [k][m]f32))
          image
    in f32.sum (map2 (*) (flatten_3d window) (flatten_3d weights)))

entry convolved_by_vector
    [c] [n] [m] [k]
    (image: [c][n][m]f32)
    (weights: [c][k][k]f32) : [][]f32 =
  let vector = flatten_3d weights
  in tabulate_2d (n - k + 1) (m - k + 1) (\y x ->
    let window =
      map (\p -> map (\r -> r[x:x + k] :> [k]f32) (p[y:y + k] :> [k][m]f32))
          image
    in f32.sum (map2 (*) vector (flatten_3d window)))

-- Operators whose elements are rows: filters, reductions, scans, literals.

-- ==
-- tune @ apart.tune
-- entry: kept
-- input { [[0, 1], [1, 2], [3, 0], [2, 3]] [false, true, false, false] }
-- output { [[3i32, 0i32], [2i32, 3i32]] } structure run { launches 1 waits 1 sent 0 received 8 }
entry kept [n] (edges: [n][2]i32) (gone: [n]bool) : [][2]i32 =
  filter (\e -> !gone[e[0]] && !gone[e[1]]) edges

-- Columns that become rows again.
-- ==
-- entry: kept_by_pattern
-- input { [[0, 1], [1, 2], [3, 0], [2, 3]] [false, true, false, false] }
-- output { [[3i32, 0i32], [2i32, 3i32]] } structure run { launches 1 sent 0 received 8 }
entry kept_by_pattern [n] (edges: [n][2]i32) (gone: [n]bool) : [][2]i32 =
  filter (\e -> !(gone[e[1]] || gone[e[0]])) (map (\e -> [e[0], e[1]]) edges)

-- Pairs that become rows again.
-- ==
-- entry: kept_as_pairs
-- input { [[0, 1], [1, 2], [3, 0], [2, 3]] [false, true, false, false] }
-- output { [[3i32, 0i32], [2i32, 3i32]] } structure run { launches 2 waits 2 sent 0 received 8 }
entry kept_as_pairs [n] (edges: [n][2]i32) (gone: [n]bool) : [][2]i32 =
  map (\(a, b) -> [a, b])
      (filter (\(a, b) -> !gone[a] && !gone[b])
              (map (\e -> (e[0], e[1])) edges))

-- ==
-- entry: bounds bounds_of_columns
-- input { [[3f32, 1f32, 4f32], [1f32, 5f32, 9f32], [2f32, 6f32, 5f32]] }
-- output { [3.0f32, 6.0f32, 9.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry bounds [n] (points: [n][3]f32) : [3]f32 =
  reduce (map2 f32.max) (replicate 3 (-f32.inf)) points

-- A kernel makes one array of three numbers.
-- ==
-- entry: bounds_of_tuples
-- input { [[3f32, 1f32, 4f32], [1f32, 5f32, 9f32], [2f32, 6f32, 5f32]] }
-- output { [3.0f32, 6.0f32, 9.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry bounds_of_tuples [n] (points: [n][3]f32) : [3]f32 =
  let most (a, b, c) (d, e, f) = (f32.max a d, f32.max b e, f32.max c f)
  let (a, b, c) =
    reduce_comm most
                (-f32.inf, -f32.inf, -f32.inf)
                (map (\p -> (p[0], p[1], p[2])) points)
  in [a, b, c]

entry bounds_of_columns [n] (points: [n][3]f32) : [3]f32 =
  map (reduce f32.max (-f32.inf)) (transpose points)

-- ==
-- entry: products products_of_tuples products_by_number
-- input { [[[1f32, 2f32], [3f32, 4f32]], [[0f32, 1f32], [1f32, 0f32]], [[2f32, 0f32], [0f32, 2f32]]] }
-- output { [[[1.0f32, 2.0f32], [3.0f32, 4.0f32]], [[3.0f32, 4.0f32], [1.0f32, 2.0f32]], [[6.0f32, 8.0f32], [2.0f32, 4.0f32]]] } structure run { launches 4 waits 1 sent 0 received 0 }
entry products [n] (ms: [n][2][2]f32) : [n][2][2]f32 =
  scan (\a b -> tabulate_2d 2 2 (\i j -> b[i, 0] * a[0, j] + b[i, 1] * a[1, j]))
       [[1, 0], [0, 1]]
       ms

entry products_of_tuples [n] (ms: [n][2][2]f32) : [n][2][2]f32 =
  let times (a, b, c, d) (e, f, g, h) =
    (e * a + f * c, e * b + f * d, g * a + h * c, g * b + h * d)
  let flat =
    scan times
         (1, 0, 0, 1)
         (map (\m -> (m[0, 0], m[0, 1], m[1, 0], m[1, 1])) ms)
  in map (\(a, b, c, d) -> [[a, b], [c, d]]) flat

entry products_by_number [n] (ms: [n][2][2]f32) : [n][2][2]f32 =
  scan (\a b ->
          map (\row -> map (\col -> f32.sum (map2 (*) row col)) (transpose a))
              b)
       [[1, 0], [0, 1]]
       (tabulate n (\i -> ms[i]))

-- ==
-- entry: best best_by_number best_turned
-- input { [[3f32, 1f32, 4f32], [1f32, 5f32, 9f32], [2f32, 6f32, 5f32]] }
-- output { [1.0f32, 5.0f32, 9.0f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry best [n] [m] (rows: [n][m]f32) : [m]f32 =
  reduce (\a b -> if a[0] <= b[0] then a else b) (replicate m f32.inf) rows

entry best_by_number [n] [m] (rows: [n][m]f32) : [m]f32 =
  reduce (\a b -> if b[0] < a[0] then b else a)
         (map (const f32.inf) (iota m))
         (map (\i -> rows[i]) (iota n))

entry best_turned [n] [m] (rows: [n][m]f32) : [m]f32 =
  let less a b = a[0] <= b[0]
  in reduce_comm (\a b -> if less a b then a else b) (replicate m f32.inf) rows

-- ==
-- entry: literal literal_of_elements literal_by_concat
-- input { 2i64 [1f32, 2f32, 4f32, 8f32] }
-- output { [3.375f32, 3.0f32, 4.125f32, 4.5f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry literal [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    let parts =
      [map (* 0.5) xs, map (/ 4) (rotate 1 xs), map (/ 4) (rotate (-1) xs)]
    in map f32.sum (transpose parts)

entry literal_of_elements [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    map3 (\a b c -> f32.sum [a * 0.5, b / 4, c / 4])
         xs
         (rotate 1 xs)
         (rotate (-1) xs)

entry literal_by_concat [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    let parts =
      [map (* 0.5) xs]
      ++ [map (/ 4) (rotate 1 xs)]
      ++ [map (/ 4) (rotate (-1) xs)]
    in map (\i -> f32.sum (map (\part -> part[i]) parts)) (iota n)

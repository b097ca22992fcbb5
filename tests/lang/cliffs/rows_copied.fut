-- Rows are copied element by element, whoever copies them.

-- ==
-- tune @ apart.tune
-- entry: repeated repeated_by_map repeated_by_number
-- input { 3i64 [1f32, 2f32, 4f32, 8f32] }
-- output { [[1.0f32, 4.0f32, 8.0f32, 16.0f32], [2.0f32, 4.0f32, 8.0f32, 16.0f32], [2.0f32, 4.0f32, 8.0f32, 16.0f32]] } structure run { launches 2 waits 1 sent 4 received 0 }
entry repeated [m] (n: i64) (row: [m]f32) : [n][m]f32 =
  let copies = replicate n (map (* 2) row)
  in copies with [0, 0] = 1

entry repeated_by_map [m] (n: i64) (row: [m]f32) : [n][m]f32 =
  let double = map (\x -> x + x) row
  in map (\_ -> double) (iota n) with [0, 0] = 1

entry repeated_by_number [m] (n: i64) (row: [m]f32) : [n][m]f32 =
  let double = map (* 2) row
  in tabulate_2d n m (\_ j -> double[j]) with [0, 0] = 1

-- ==
-- entry: moved moved_zeros
-- input { [2i64, 0i64, 5i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [[3.0f32, 4.0f32], [0.0f32, 0.0f32], [1.0f32, 2.0f32]] } structure run { launches 3 waits 1 sent 0 received 0 }
entry moved [n] [m] (to: [n]i64) (rows: [n][m]f32) : [n][m]f32 =
  scatter (replicate n (replicate m 0)) to rows

entry moved_zeros [n] [m] (to: [n]i64) (rows: [n][m]f32) : [n][m]f32 =
  scatter (tabulate_2d n m (\_ _ -> 0)) to (tabulate n (\i -> rows[i]))

-- ==
-- entry: taken taken_elements taken_by_loop taken_by_map
-- input { [2i64, 0i64, 2i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [[5.0f32, 6.0f32], [1.0f32, 2.0f32], [5.0f32, 6.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry taken [n] [m] (from: [n]i64) (rows: [n][m]f32) : [n][m]f32 =
  map (\i -> rows[i]) from

entry taken_elements [n] [m] (from: [n]i64) (rows: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> rows[from[i], j])

entry taken_by_loop [n] [m] (from: [n]i64) (rows: [n][m]f32) : [n][m]f32 =
  loop out = replicate n (replicate m 0) for i < n do
    out with [i] = rows[from[i]]

entry taken_by_map [n] [m] (from: [n]i64) (rows: [n][m]f32) : [n][m]f32 =
  map (\i -> map (\x -> x) rows[i]) from

-- ==
-- entry: life
-- input { 2i64 [[0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8]] }
-- output { [[0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8]] } structure run { launches 6 waits 1 sent 0 received 0 }
entry life [n] (steps: i64) (cells: [n][n]u8) : [n][n]u8 =
  let sum3 (xss: [n][n]u8) =
    map3 (map3 (\a b c -> a + b + c)) (rotate 1 xss) xss (rotate (-1) xss)
  let rule c s = u8.bool (s == 3 || s == 4 && c == 1)
  in loop cells for _i < steps do
       map2 (map2 rule) cells (transpose (sum3 (transpose (sum3 cells))))

-- Two kernels for each step, not three.
-- ==
-- entry: life_by_index
-- input { 2i64 [[0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8]] }
-- output { [[0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8]] } structure run { launches 4 waits 1 sent 0 received 0 }
entry life_by_index [n] (steps: i64) (cells: [n][n]u8) : [n][n]u8 =
  let rule c s = u8.bool (s == 3 || s == 4 && c == 1)
  in loop cells for _i < steps do
       let sums =
         tabulate_2d n n (\i j ->
           cells[(i + 1) % n, j] + cells[i, j] + cells[(i + n - 1) % n, j])
       in tabulate_2d n n (\i j ->
         rule cells[i, j]
              (sums[i, (j + 1) % n] + sums[i, j] + sums[i, (j + n - 1) % n]))

-- ==
-- entry: turned turned_by_index turned_by_maps
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [[1.0f32, 3.0f32, 5.0f32], [2.0f32, 4.0f32, 6.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry turned [n] [m] (xss: [n][m]f32) : [m][n]f32 = transpose xss

entry turned_by_index [n] [m] (xss: [n][m]f32) : [m][n]f32 =
  tabulate_2d m n (\i j -> xss[j, i])

entry turned_by_maps [n] [m] (xss: [n][m]f32) : [m][n]f32 =
  map (\j -> map (\xs -> xs[j]) xss) (iota m)

-- ==
-- entry: joined joined_by_index joined_by_slice
-- input { [1, 2, 3, 4, 5] }
-- output { [5i32, 4i32, 3i32, 2i32, 1i32, 1i32, 2i32, 3i32, 4i32, 5i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry joined [n] (xs: [n]i32) : [n + n]i32 = reverse xs ++ xs

entry joined_by_index [n] (xs: [n]i32) : [n + n]i32 =
  tabulate (n + n) (\i -> if i < n then xs[n - 1 - i] else xs[i - n])

entry joined_by_slice [n] (xs: [n]i32) : [n + n]i32 = (xs[::-1] :> [n]i32) ++ xs

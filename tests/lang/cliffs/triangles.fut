-- Sums over a part of a row that is longer for some rows than for others, for each element of a row: a thread for each sum, however it is written.

-- ==
-- entry: by_ranges by_slices by_dropping by_loop
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, 1f32], [2f32, 1f32, 0f32]] }
-- output { [[15f32, 11f32, 6f32], [16f32, 9f32, 1f32], [2f32, 1f32, 0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry by_ranges [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 =
  tabulate_2d n n (\i j ->
    b[i, j]
    + f32.sum (map (\k -> a[i + 1 + k, i] * b[i + 1 + k, j])
                   (iota (n - i - 1))))

entry by_slices [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 =
  tabulate_2d n n (\i j ->
    b[i, j] + f32.sum (map2 (*) a[i + 1:, i] b[i + 1:, j]))

entry by_dropping [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 =
  map3 (\i x row ->
    map2 (\y e -> e + f32.sum (map2 (*) (drop (i + 1) x) (drop (i + 1) y)))
         (transpose b)
         row) (iota n) (transpose a) b

entry by_loop [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 =
  tabulate_2d n n (\i j ->
    loop s = b[i, j] for k in i + 1..<n do s + a[k, i] * b[k, j])

-- Sums that are longer for some elements of a row, too.
-- ==
-- entry: both
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[0, 0, 0], [0, 4, 4], [0, 7, 15]] }
entry both [n] (a: [n][n]i32) : [n][n]i32 =
  tabulate_2d n n (\i j -> i32.sum (take (i64.min i j) a[i]))

-- Many points, and rows without elements.
-- ==
-- entry: many
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 10i64 } output { 10936i64 }
-- compiled input { 200i64 } output { 99497185i64 }
entry many (n: i64) : i64 =
  let a = tabulate_2d n n (\i j -> (i * 7 + j) % 11)
  in i64.sum (map i64.sum
                  (opaque (tabulate_2d n n (\i j ->
                    i64.sum (map (\k -> a[i, k] * a[k, j])
                                 (iota i))))))

-- Scatters, histograms and partitions of the rows of a matrix are one operator over all elements.

-- ==
-- tune @ apart.tune
-- entry: scatter_rows scatter_by_number scatter_tabulated
-- input { [[2i64, 0i64, 1i64, 7i64], [3i64, 2i64, 1i64, 0i64], [-1i64, 0i64, 3i64, 2i64]] [[1f32, 2f32, 3f32, 4f32], [5f32, 6f32, 7f32, 8f32], [9f32, 10f32, 11f32, 12f32]] }
-- output { [[2.0f32, 3.0f32, 1.0f32, 0.0f32], [8.0f32, 7.0f32, 6.0f32, 5.0f32], [10.0f32, 0.0f32, 12.0f32, 11.0f32]] } structure run { launches 2 waits 1 sent 0 received 0 }
entry scatter_rows [r] [n] (to: [r][n]i64) (xss: [r][n]f32) : [r][n]f32 =
  map2 (\is xs -> scatter (replicate n 0) is xs) to xss

entry scatter_by_number [r] [n] (to: [r][n]i64) (xss: [r][n]f32) : [r][n]f32 =
  map (\i ->
    let zeros = map (const 0) (iota n) in scatter zeros to[i] xss[i]) (iota r)

entry scatter_tabulated [r] [n] (to: [r][n]i64) (xss: [r][n]f32) : [r][n]f32 =
  tabulate r (\i ->
    scatter (replicate n 0)
            (tabulate n (\j -> to[i, j]))
            (tabulate n (\j -> xss[i, j])))

-- ==
-- entry: hist_rows hist_into_rows hist_by_number
-- input { [[0u8, 17u8, 250u8, 16u8, 31u8], [64u8, 65u8, 66u8, 200u8, 3u8]] }
-- output { [[1i32, 3i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32], [1i32, 0i32, 0i32, 0i32, 3i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32, 0i32, 0i32, 0i32]] } structure run { launches 2 waits 1 sent 0 received 0 }
entry hist_rows [r] [n] (pictures: [r][n]u8) : [r][16]i32 =
  map (\picture ->
    hist (+)
         0
         16
         (map (\x -> i64.u8 (x >> 4)) picture)
         (replicate n 1)) pictures

entry hist_into_rows [r] [n] (pictures: [r][n]u8) : [r][16]i32 =
  map (\picture ->
    reduce_by_index (replicate 16 0)
                    (+)
                    0
                    (map (\x -> i64.u8 x / 16) picture)
                    (map (const 1) picture)) pictures

entry hist_by_number [r] [n] (pictures: [r][n]u8) : [r][16]i32 =
  tabulate r (\i ->
    hist (\a b -> b + a)
         0
         16
         (tabulate n (\j -> i64.u8 pictures[i, j] >> 4))
         (replicate n 1))

-- ==
-- entry: part_rows
-- input { [[5, 1, 4, 2, 3], [9, 8, 7, 6, 5]] }
-- output { [[1i32, 2i32, 3i32, 5i32, 4i32], [6i32, 5i32, 9i32, 8i32, 7i32]] [3i64, 2i64] } structure run { launches 4 waits 1 sent 0 received 0 }
entry part_rows [r] [n] (xss: [r][n]i32) : ([r][n]i32, [r]i64) =
  unzip (map (\xs ->
    let pivot = xs[n / 2]
    let (less, more) = partition (< pivot) xs
    in (sized n (less ++ more), length less)) xss)

-- The pivot is read where it is needed.
-- ==
-- entry: part_by_number
-- input { [[5, 1, 4, 2, 3], [9, 8, 7, 6, 5]] }
-- output { [[1i32, 2i32, 3i32, 5i32, 4i32], [6i32, 5i32, 9i32, 8i32, 7i32]] [3i64, 2i64] } structure run { launches 4 waits 1 sent 0 received 0 }
entry part_by_number [r] [n] (xss: [r][n]i32) : ([r][n]i32, [r]i64) =
  let part i =
    let (less, more) = partition (\x -> x < xss[i, n / 2]) xss[i]
    in (less ++ more :> [n]i32, length less)
  in unzip (tabulate r part)

-- A butterfly on each row, and a sort by one bit after the other.
-- ==
-- entry: steps_of_rows steps_by_loops
-- input { 2i64 [[1f32, 2f32, 3f32, 4f32], [5f32, 6f32, 7f32, 8f32], [0f32, 1f32, 0f32, -1f32]] }
-- output { [[10.0f32, -4.0f32, -2.0f32, 0.0f32], [26.0f32, -4.0f32, -2.0f32, 0.0f32], [0.0f32, 2.0f32, 0.0f32, -2.0f32]] } structure run { launches 6 waits 1 sent 0 received 0 }
entry steps_of_rows [r] [n] (steps: i64) (rows: [r][n]f32) : [r][n]f32 =
  let step [n] (s: i64) (xs: *[n]f32) : *[n]f32 =
    let half = n / 2
    let (is, vs) =
      unzip (map (\j -> (j / s * 2 * s + j % s, xs[j] + xs[j + half]))
                 (iota half))
    let (js, ws) =
      unzip (map (\j -> (j / s * 2 * s + j % s + s, xs[j] - xs[j + half]))
                 (iota half))
    in scatter (replicate n 0) (is ++ js) (vs ++ ws)
  in map (\row -> loop xs = copy row for i < steps do step (1 << i) xs) rows

entry steps_by_loops [r] [n] (steps: i64) (rows: [r][n]f32) : [r][n]f32 =
  loop rows for i < steps do
    let s = 1 << i
    let half = n / 2
    in map (\xs ->
      let at j = j / s * 2 * s + j % s
      let is = map at (iota half) ++ map (\j -> at j + s) (iota half)
      let vs =
        map (\j -> xs[j] + xs[j + half]) (iota half)
        ++ map (\j -> xs[j] - xs[j + half]) (iota half)
      in scatter (replicate n 0) is vs) rows

-- ==
-- entry: sort_rows
-- input { [[5u32, 1u32, 7u32, 2u32, 6u32], [0u32, 3u32, 3u32, 7u32, 1u32]] }
-- output { [[1u32, 2u32, 5u32, 6u32, 7u32], [0u32, 1u32, 3u32, 3u32, 7u32]] } structure run { launches 9 waits 1 sent 0 received 0 }
entry sort_rows [r] [n] (rows: [r][n]u32) : [r][n]u32 =
  let by_bit [n] (b: i64) (xs: *[n]u32) : *[n]u32 =
    let zeros = map (\x -> i64.u32 (1 - (x >> u32.i64 b) % 2)) xs
    let upto = scan (+) 0 zeros
    let all = upto[n - 1]
    let is =
      map3 (\i z u -> if z == 1 then u - 1 else all + i - u) (iota n) zeros upto
    in scatter (replicate n 0) is xs
  in map (\xs -> loop xs = copy xs for b < 3 do by_bit b xs) rows

-- Without the copy in front of the loop.
-- ==
-- entry: sort_rows_together
-- input { [[5u32, 1u32, 7u32, 2u32, 6u32], [0u32, 3u32, 3u32, 7u32, 1u32]] }
-- output { [[1u32, 2u32, 5u32, 6u32, 7u32], [0u32, 1u32, 3u32, 3u32, 7u32]] } structure run { launches 9 waits 1 sent 0 received 0 }
entry sort_rows_together [r] [n] (rows: [r][n]u32) : [r][n]u32 =
  loop rows for b < 3 do
    tabulate r (\i ->
      let xs = rows[i]
      let is_zero x = if x >> u32.i64 b & 1 == 0 then 1i64 else 0
      let upto = scan (+) 0 (map is_zero xs)
      let place j x =
        if is_zero x == 1 then upto[j] - 1 else upto[n - 1] + j - upto[j]
      in scatter (replicate n 0) (map2 place (iota n) xs) xs)

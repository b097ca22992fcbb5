-- Views in loops, rows of one number, loops of each thread for itself, recursion.

-- ==
-- tune @ apart.tune
-- entry: replicated replicated_by_map
-- input { 3i64 4i64 }
-- output { [0i32, 4i32, 8i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry replicated (n: i64) (m: i64) : [n]i32 =
  tabulate n (\i -> i32.sum (replicate m (i32.i64 i)))

entry replicated_by_map (n: i64) (m: i64) : [n]i32 =
  map (\i -> i32.sum (map (\_ -> i32.i64 i) (iota m))) (iota n)

-- A loop runs never if its bound is negative; a size is checked.
-- ==
-- entry: replicated_by_loop
-- input { 3i64 4i64 }
-- output { [0i32, 4i32, 8i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry replicated_by_loop (n: i64) (m: i64) : [n]i32 =
  map (\i -> loop s = 0 for _j < m do s + i32.i64 i) (iota n)

-- ==
-- entry: sides sides_by_index
-- input { [[[1f32, 2f32], [2f32, 1f32], [8f32, 3f32]], [[0f32, 1f32], [1f32, 0f32], [0f32, 0f32]]] [1f32, 2f32] }
-- output { [1.0f32, 2.65625f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry sides [k] [n] (normals: [k][3][n]f32) (xs: [n]f32) : [n]f32 =
  let flux (xs: [n]f32) =
    map2 (\x sides ->
            loop s = x for i < k do
              s + sides[i, 0] * sides[i, 1] - sides[i, 2] * x / 4)
         xs
         (transpose (map transpose normals))
  in loop xs for _i < 3 do flux xs

entry sides_by_index [k] [n] (normals: [k][3][n]f32) (xs: [n]f32) : [n]f32 =
  loop xs for _i < 3 do
    tabulate n (\j ->
      loop s = xs[j] for i < k do
        s + normals[i, 0, j] * normals[i, 1, j] - normals[i, 2, j] * xs[j] / 4)

-- ==
-- entry: blocks
-- input { [3i64, 1i64] [1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8, 11u8, 12u8] }
-- output { [2524085211u32, 2195459981u32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry blocks [n] [m] (lens: [n]i64) (text: [m]u8) : [n]u32 =
  map2 (\l i ->
    let block = replicate 16 0u8 with [0:l] = text[i * 8:i * 8 + l]
    let block = block with [l] = 128
    in loop a = 7 for k < 16 do
         (a ^ u32.u8 block[k]) * 16777619 + (a >> 7)) lens (iota n)

-- The blocks are made by a kernel of their own.
-- ==
-- entry: blocks_by_choice
-- input { [3i64, 1i64] [1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8, 11u8, 12u8] }
-- output { [2524085211u32, 2195459981u32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry blocks_by_choice [n] [m] (lens: [n]i64) (text: [m]u8) : [n]u32 =
  map2 (\l i ->
    let block =
      tabulate 16 (\k ->
        if k < l then text[i * 8 + k] else if k == l then 128 else 0)
    in loop a = 7 for k < 16 do
         (a ^ u32.u8 block[k]) * 16777619 + (a >> 7)) lens (iota n)

-- ==
-- entry: path path_by_index
-- input { [0, 0, 1] [[1f32, 2f32, 3f32], [0f32, 1f32, -1f32]] }
-- output { [0.0f32, 1.5f32] } structure run { launches 3 waits 1 sent 0 received 0 }
entry path [n] [t] (from: [t]i32) (gauss: [n][t]f32) : [n]f32 =
  map (\g ->
    let path =
      loop p = replicate t 0f32 for i < t do
        let before = if i == 0 then 0 else p[from[i]]
        in p with [i] = 0.5 * before + g[i]
    in f32.maximum path - path[t - 1]) gauss

entry path_by_index [n] [t] (from: [t]i32) (gauss: [n][t]f32) : [n]f32 =
  tabulate n (\r ->
    let path =
      loop p = map (const 0f32) from for i < t do
        p with [i] = 0.5 * (if i > 0 then p[from[i]] else 0) + gauss[r, i]
    in reduce_comm f32.max (-f32.inf) path - last path)

-- ==
-- entry: trips trips_by_pair
-- input { [1i64, 6i64, 27i64] }
-- output { [0i32, 8i32, 111i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry trips [n] (start: [n]i64) : [n]i32 =
  map (\s ->
    (loop (x, k) = (s, 0i32) while x != 1 do
       (if x % 2 == 0 then x / 2 else 3 * x + 1, k + 1)).1) start

entry trips_by_pair [n] (start: [n]i64) : [n]i32 =
  let steps (s: i64) : i32 =
    let (k, _) =
      loop (k, x) = (0, s) while x > 1 do
        if x % 2 == 1 then (1 + k, x * 3 + 1) else (1 + k, x >> 1)
    in k
  in tabulate n (\i -> steps start[i])

-- ==
-- entry: sorted sorted_turned
-- input { [3, -1, 2, -2, 1] }
-- output { [-1i32, 1i32, -2i32, 2i32, 3i32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry sorted [n] (xs: [n]i32) : [n]i32 =
  let before a b =
    if i32.abs a == i32.abs b then a <= b else i32.abs a < i32.abs b
  in sort_by before xs

entry sorted_turned [n] (xs: [n]i32) : [n]i32 =
  sort_by (\a b -> i32.abs a < i32.abs b || i32.abs a == i32.abs b && a <= b)
          (tabulate n (\i -> xs[i]))

-- ==
-- entry: boxes boxes_by_index
-- input { [1i64, 2i64] [[0f32, 1f32], [0f32, 2f32]] }
-- output { [[1.3678794f32, 1.3678794f32], [2.3861952f32, 1.4045107f32]] } structure run { launches 12 waits 3 sent 0 received 24 }
entry boxes [b] [p] (near: [b]i64) (xs: [b][p]f32) : [b][p]f32 =
  map2 (\n row ->
    map (\x ->
      loop s = 0 for k < n do
        s
        + f32.sum (map (\y -> f32.exp (-(x - y) * (x - y)))
                       xs[k % b])) row) near xs

entry boxes_by_index [b] [p] (near: [b]i64) (xs: [b][p]f32) : [b][p]f32 =
  tabulate_2d b p (\i j ->
    let x = xs[i, j]
    in loop s = 0 for k < near[i] do
         s
         + f32.sum (tabulate p (\l ->
           let d = x - xs[k % b, l] in f32.exp (-d * d))))

-- How many elements satisfy something is a sum, also of rows.
-- ==
-- entry: counted counted_by_sum
-- input { [[1f32, 2f32, 3f32], [4f32, 0f32, 1f32]] }
-- output { [2i64, 1i64] } structure run { launches 1 waits 1 sent 0 received 0 }
entry counted [n] [m] (xss: [n][m]f32) : [n]i64 =
  map (\xs -> length (filter (> 1.5) xs)) xss

entry counted_by_sum [n] [m] (xss: [n][m]f32) : [n]i64 =
  map (\xs -> i64.sum (map (\x -> i64.bool (x > 1.5)) xs)) xss

-- A group of threads for each row: scans, loops over arrays, updates of a part, in the memory of a group.

-- ==
-- tune @ groups.tune
-- entry: lines lines_of_steps lines_by_number
-- input { 2i64 [[1f32, 1f32, 3f32], [2f32, 4f32, 0f32]] }
-- output { [[0.7123552f32, 0.8917159f32, 1.694117f32], [1.4593043f32, 2.3901668f32, 0.380701f32]] } structure run { launches 2 waits 1 sent 0 received 0 }
entry lines [r] [n] (steps: i64) (start: [r][n]f32) : [r][n]f32 =
  let line (a0, b0) (a1, b1) = (a1 * a0, a1 * b0 + b1)
  let solve (ys: [n]f32) =
    let down = map (.1) (scan line (1f32, 0f32) (map (\y -> (0.25, y)) ys))
    let up =
      map (.1)
          (scan line (1f32, 0f32) (map (\y -> (0.25, y * 0.9)) (reverse down)))
    in reverse up
  in loop rows = start for _i < steps do
       map (\row -> map2 (\x y -> 0.5 * x + 0.25 * y) row (solve row)) rows

entry lines_of_steps [r] [n] (steps: i64) (start: [r][n]f32) : [r][n]f32 =
  loop rows = start for _i < steps do
    map (\row ->
      let (_, down) =
        unzip (scan (\(a, b) (c, d) -> (a * c, c * b + d))
                    (1f32, 0f32)
                    (map (\y -> (0.25, y)) row))
      let turned = map (\i -> (0.25f32, down[n - 1 - i] * 0.9)) (iota n)
      let (_, up) =
        unzip (scan (\(a, b) (c, d) -> (a * c, c * b + d)) (1f32, 0f32) turned)
      in map (\i -> 0.5 * row[i] + 0.25 * up[n - 1 - i]) (iota n)) rows

entry lines_by_number [r] [n] (steps: i64) (start: [r][n]f32) : [r][n]f32 =
  let line (a0, b0) (a1, b1) = (a1 * a0, a1 * b0 + b1)
  in loop rows = start for _i < steps do
       tabulate r (\i ->
         let row = rows[i]
         let down = scan line (1f32, 0f32) (map (\y -> (0.25, y)) row)
         let up =
           scan line
                (1f32, 0f32)
                (map (\(_, y) -> (0.25, y * 0.9)) (reverse down))
         in map2 (\x (_, y) -> 0.5 * x + 0.25 * y) row (reverse up))

-- ==
-- entry: factors factors_by_rows
-- input { [[[4f32, 2f32, 1f32], [2f32, 5f32, 3f32], [1f32, 3f32, 6f32]], [[2f32, 0f32, 1f32], [0f32, 3f32, 0f32], [1f32, 0f32, 1f32]]] }
-- output { [[[4.0f32, 2.0f32, 1.0f32], [0.5f32, 4.0f32, 2.5f32], [0.25f32, 0.625f32, 4.1875f32]], [[2.0f32, 0.0f32, 1.0f32], [0.0f32, 3.0f32, 0.0f32], [0.5f32, 0.0f32, 0.5f32]]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry factors [q] [b] (blocks: [q][b][b]f32) : [q][b][b]f32 =
  let factor (a: *[b][b]f32) : *[b][b]f32 =
    loop a for k < b - 1 do
      let l = tabulate b (\i -> if i <= k then 0 else a[i, k] / a[k, k])
      let a =
        tabulate_2d b b (\i j ->
          if j < k then a[i, j] else a[i, j] - l[i] * a[k, j])
      in a with [k + 1:b, k] = l[k + 1:b]
  in map (\a -> factor (copy a)) blocks

entry factors_by_rows [q] [b] (blocks: [q][b][b]f32) : [q][b][b]f32 =
  map (\block ->
    loop a = copy block for k < b - 1 do
      let pivot = a[k, k]
      let l = map (\i -> if i > k then a[i, k] / pivot else 0) (iota b)
      let a =
        map2 (\row l ->
                map2 (\j x -> if j >= k then x - l * a[k, j] else x)
                     (iota b)
                     row)
             a
             l
      in a with [k + 1:b, k] = l[k + 1:b]) blocks

-- ==
-- entry: fronts fronts_by_rows
-- input { [[[1, 2], [3, 4]], [[5, 1], [1, 5]]] }
-- output { [[3i32, 5i32], [1i32, 6i32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry fronts [q] [b] (costs: [q][b][b]i32) : [q][b]i32 =
  let solve (c: [b][b]i32) : [b]i32 =
    let best =
      loop best = unflatten (replicate ((b + 1) * (b + 1)) 0)
      for d < 2 * b - 1 do
        let cell t =
          let j = d - t in if j < 0 || j >= b then (-1, -1) else (t + 1, j + 1)
        let value t =
          let (i, j) = cell t
          in if i < 0
             then 0
             else c[i - 1, j - 1]
                  + i32.min best[i - 1, j - 1]
                            (i32.min best[i - 1, j] best[i, j - 1])
        in scatter_2d best (tabulate b cell) (tabulate b value)
    in tabulate b (\j -> best[b, j + 1])
  in map solve costs

entry fronts_by_rows [q] [b] (costs: [q][b][b]i32) : [q][b]i32 =
  map (\c ->
    let best =
      loop best = replicate (b + 1) (replicate (b + 1) 0) for d < 2 * b - 1 do
        let (is, vs) =
          unzip (map (\t ->
            let j = d - t
            in if j < 0 || j >= b
               then ((-1, -1), 0)
               else ( (t + 1, j + 1)
                    , c[t, j]
                      + i32.min best[t, j]
                                (i32.min best[t, j + 1] best[t + 1, j])
                    )) (iota b))
        in scatter_2d best is vs
    in best[b, 1:b + 1] :> [b]i32) costs

-- Sums of columns, with much to compute of each: threads have neighbouring columns, since those of a group for each column would read far apart.
-- ==
-- entry: scaled
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [1f32, 0.5f32, 2f32] }
-- output { [5.5056863f32, 7.0552f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry scaled [n] [m] (xss: [n][m]f32) (v: [n]f32) : [m]f32 =
  map (\c ->
    let s = f32.sum (map2 (*) v c)
    let t = f32.sqrt s
    let u = if s > 3 then t * t - 0.5 * t else t + s
    let w = if u > t then u / (1 + t) else t / (1 + u)
    in f32.exp (w / 2) + u / 4 - t / 8) (transpose xss)

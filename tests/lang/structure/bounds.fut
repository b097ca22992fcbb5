-- Indices that come from loops, ranges and clamping need no checks.
-- ==
-- entry: smooth
-- input { [1f32, 2f32, 6f32] } output { [1f32, 3f32, 6f32] }
-- structure nest { check 0 }
entry smooth [n] (xs: [n]f32) : [n]f32 =
  tabulate n (\i ->
    if i > 0 && i < n - 1
    then (xs[i - 1] + xs[i] + xs[i + 1]) / 3
    else xs[i])

-- ==
-- entry: wrapped
-- input { [1f32, 2f32, 6f32] } output { [8f32, 7f32, 3f32] }
entry wrapped [n] (xs: [n]f32) : [n]f32 =
  tabulate n (\i ->
    let left = if i == 0 then n - 1 else i - 1
    let right = if i == n - 1 then 0 else i + 1
    in xs[left] + xs[right])

-- ==
-- entry: clamped
-- input { [[1, 2], [3, 4]] } output { [[1, 3], [5, 7]] }
entry clamped [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    xss[i, j]
    + xss[i, i64.max 0 (i64.min (j - 1) (m - 1))]
    - xss[0, 0] * i32.bool (j == 0))

-- ==
-- entry: reversed
-- input { [1, 2, 3] } output { [3, 2, 1] }
entry reversed [n] (xs: [n]i32) : [n]i32 =
  map (\i -> xs[n - 1 - i]) (iota n)

-- ==
-- entry: looked_up
-- input { [1u8, 255u8] } output { 256i64 }
entry looked_up [n] (bytes: [n]u8) : i64 =
  let table = iota 256
  in i64.sum (map (\b -> table[i64.u8 b]) bytes)

-- ==
-- entry: triangle
-- input { [[1, 2], [3, 4]] } output { 8 }
entry triangle [n] (xss: [n][n]i32) : i32 =
  loop s = 0
  for i < n do
    loop s
    for j < i + 1 do
      s + xss[i, j]

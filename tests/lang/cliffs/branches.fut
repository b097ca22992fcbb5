-- What does not depend on the element leaves a branch: a table, a concatenation, a width.

def weights : [5]f32 = map (\i -> 1 / f32.i64 (i + 1)) (iota 5)

-- ==
-- tune @ apart.tune
-- entry: table_in_branch table_before_branch table_of_the_loop
-- input { 2i64 [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32] }
-- output { [1.0f32, 2.0f32, 3.0f32, 4.0f32, 5.0f32, 1.9322917f32, 1.9890624f32] } structure run { launches 2 waits 1 received 0 }
entry table_in_branch [n] (steps: i64) (cells: [n]f32) : [n]f32 =
  loop cells for _i < steps do
    tabulate n (\i ->
      if i < 5
      then cells[i]
      else f32.sum (tabulate 5 (\k -> weights[k] * cells[i - k])) / 4)

entry table_before_branch [n] (steps: i64) (cells: [n]f32) : [n]f32 =
  let table = weights
  in loop cells for _i < steps do
       map2 (\i cell ->
         if i >= 5
         then f32.sum (map2 (\w k -> w * cells[i - k]) table (iota 5)) / 4
         else cell) (iota n) cells

entry table_of_the_loop [n] (steps: i64) (cells: [n]f32) : [n]f32 =
  loop cells for _i < steps do
    let new i =
      if i < 5
      then cells[i]
      else (loop s = 0 for k < 5 do s + weights[k] * cells[i - k]) / 4
    in map new (iota n)

-- ==
-- entry: join_in_branch join_before_branch
-- input { [0i64, 2i64, 2i64, 5i64] [3, 1, 4, 1, 5, 9, 2] [false, false, true, false] }
-- output { [3i32, -2147483648i32, 0i32, 9i32] } structure run { launches 11 waits 4 sent 8 received 24 }
entry join_in_branch [n] [m]
                     (offs: [n]i64)
                     (edges: [m]i32)
                     (out: [n]bool) : [n]i32 =
  tabulate n (\v ->
    if out[v]
    then 0
    else let ends = offs ++ [m] in i32.maximum edges[ends[v]:ends[v + 1]])

entry join_before_branch
    [n] [m]
    (offs: [n]i64)
    (edges: [m]i32)
    (out: [n]bool) : [n]i32 =
  let ends = offs ++ [m]
  in tabulate n (\v ->
    if out[v] then 0 else i32.maximum edges[ends[v]:ends[v + 1]])

-- The choice of an end is a kernel of its own.
-- ==
-- entry: join_by_choice
-- input { [0i64, 2i64, 2i64, 5i64] [3, 1, 4, 1, 5, 9, 2] [false, false, true, false] }
-- output { [3i32, -2147483648i32, 0i32, 9i32] } structure run { launches 10 waits 4 sent 0 received 24 }
entry join_by_choice [n] [m]
                     (offs: [n]i64)
                     (edges: [m]i32)
                     (out: [n]bool) : [n]i32 =
  tabulate n (\v ->
    if out[v]
    then 0
    else
      let end = if v == n - 1 then m else offs[v + 1]
      in i32.maximum edges[offs[v]:end])

-- ==
-- entry: width_in_branch width_before
-- input { [0f32, 1f32, 2f32] [1f32, 0f32, 0f32, 3f32, 0f32, 0f32, 5f32] }
-- output { [0.0f32, 2.0f32, 1.0f32] } structure run { launches 5 waits 2 sent 0 received 8 }
entry width_in_branch [n] [m] (xs: [n]f32) (ys: [m]f32) : [n]f32 =
  map (\x ->
    if x < 0.25
    then x
    else let k = m / 3
         in f32.maximum (tabulate k (\j -> f32.abs (x - ys[j * 3])))) xs

entry width_before [n] [m] (xs: [n]f32) (ys: [m]f32) : [n]f32 =
  let k = m / 3
  in map (\x ->
    if x >= 0.25
    then f32.maximum (map (\j -> f32.abs (x - ys[j * 3])) (iota k))
    else x) xs

-- A slice whose bounds are checked in the branch: its rows count as rows of different lengths.
-- ==
-- entry: width_as_parameter
-- input { [0f32, 1f32, 2f32] [1f32, 0f32, 0f32, 3f32, 0f32, 0f32, 5f32] }
-- output { [0.0f32, 2.0f32, 1.0f32] } structure run { launches 12 waits 4 sent 0 received 24 }
entry width_as_parameter [n] [m] (xs: [n]f32) (ys: [m]f32) : [n]f32 =
  let furthest k x = f32.maximum (map (\y -> f32.abs (x - y)) ys[0:k * 3:3])
  in map (\x -> if x < 0.25 then x else furthest (m / 3) x) xs

-- A loop of maps is a map of loops, if each iteration makes of an element what the next one begins with: one launch for all iterations, and no array between them.

-- ==
-- entry: scaled scaled_by_index scaled_by_map scaled_while
-- input { 3i64 [1f32, 2f32, 3f32] } output { [1.875f32, 2.0f32, 2.125f32] } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { 0i64 [1f32, 2f32] } output { [1f32, 2f32] }
-- input { 3i64 empty([0]f32) } output { empty([0]f32) }
entry scaled [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do map (\x -> x * 0.5 + 1) xs

entry scaled_by_index [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do tabulate n (\i -> xs[i] * 0.5 + 1)

entry scaled_by_map [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop x for _i < steps do x * 0.5 + 1) xs

entry scaled_while [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  (loop (xs, i) = (xs, 0) while i < steps do
     (map (+ 1) (map (* 0.5) xs), i + 1)).0

-- Several arrays, which need each other's elements.
-- ==
-- entry: swings
-- input { [1f32, 0f32] [0f32, 2f32] 2i64 } output { [0.3125f32, 1.75f32] [-0.875f32, 1.5f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry swings [n] (xs: [n]f32) (vs: [n]f32) (steps: i64) : ([n]f32, [n]f32) =
  loop (xs, vs) for _i < steps do
    let vs = map2 (\x v -> v - 0.5 * x) xs vs
    in (map2 (\x v -> x + 0.5 * v) xs vs, vs)

-- Numbers that are the same for all elements: read from an array, which fails where there are no elements, too; kept, and used later.
-- ==
-- entry: stepped
-- input { [1i32, 2i32, 3i32] [1i32, 5i32, 2i32] 3i64 } output { [12i32, 14i32, 16i32] 3i32 } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { [1i32] [1i32, 5i32] 3i64 } error: out of bounds
-- input { empty([0]i32) [1i32, 5i32] 3i64 } error: out of bounds
-- input { empty([0]i32) [1i32, 5i32] 2i64 } output { empty([0]i32) 2i32 }
entry stepped [n] (xs: [n]i32) (ks: []i32) (steps: i64) : ([n]i32, i32) =
  let ys =
    loop xs for i < steps do
      let k = ks[i]
      in if k > 3 then map (+ k) xs else map (* k) xs
  in (ys, i32.i64 steps)

-- ==
-- entry: doubling
-- input { [1i32, 2i32] 3i64 } output { [1i32, 9i32] 8i32 } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { empty([0]i32) 3i64 } output { empty([0]i32) 8i32 }
entry doubling [n] (xs: [n]i32) (steps: i64) : ([n]i32, i32) =
  loop (xs, k) = (xs, 1) for i < steps do
    (map2 (\x e -> x + k * i32.i64 e) xs (iota n), k * 2)

-- Rows of a matrix, one in each iteration.
-- ==
-- entry: rows rows_by_index
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [1f32, 1f32] } output { [6.875f32, 8.625f32] }
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- input { empty([0][2]f32) [1f32, 1f32] } output { [1f32, 1f32] }
entry rows [k] [n] (rows: [k][n]f32) (xs: [n]f32) : [n]f32 =
  loop xs for row in rows do map2 (\x y -> 0.5 * x + y) xs row

entry rows_by_index [k] [n] (rows: [k][n]f32) (xs: [n]f32) : [n]f32 =
  loop xs for i < k do tabulate n (\j -> 0.5 * xs[j] + rows[i, j])

-- Elements that are rows, long or short.
-- ==
-- entry: matrices
-- input { [[1f32, 2f32], [3f32, 4f32]] 2i64 } output { [[2f32, 4f32], [6f32, 8f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { empty([0][2]f32) 2i64 } output { empty([0][2]f32) }
-- input { empty([2][0]f32) 2i64 } output { empty([2][0]f32) }
entry matrices [n] [m] (xss: [n][m]f32) (steps: i64) : [n][m]f32 =
  loop xss for i < steps do if i % 2 == 1 then map (map (* 2)) xss else xss

-- ==
-- entry: turned
-- input { [[1f32, 2f32, 4f32]] 2i64 } output { [[1f32, 1f32, 2f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry turned [n] (ps: [n][3]f32) (steps: i64) : [n][3]f32 =
  loop ps for _i < steps do
    map (\p -> [p[1] * 0.5, p[2] * 0.5, p[0] + p[1] * 0.5]) ps

-- In rows of different lengths, and below other loops.
-- ==
-- entry: in_rows
-- input { [2i64, 0i64, 3i64] 3i64 } output { [37i64, 0i64, 96i64] } structure run { waits 2 }
entry in_rows [n] (lengths: [n]i64) (steps: i64) : [n]i64 =
  map (\length ->
    i64.sum (loop r = iota length for i < steps do
               map (\x -> x * 3 + i) r)) lengths

-- ==
-- entry: triangle
-- input { [1i64, 2i64] 3i64 } output { [28i64, 68i64] } structure run { launches 1 waits 1 sent 0 received 0 }
entry triangle [n] (xs: [n]i64) (steps: i64) : [n]i64 =
  loop xs for i < steps do
    loop xs for j < i do map2 (\x e -> x * 3 + e + j) xs (iota n)

-- An element of another place is no own one; these stay loops of the host.
-- ==
-- entry: neighbours
-- input { [1i32, 2i32, 3i32] 2i64 } output { [3i32, 1i32, 2i32] }
entry neighbours [n] (xs: [n]i32) (steps: i64) : [n]i32 =
  loop xs for _i < steps do tabulate n (\i -> xs[(i + 1) % n])

-- ==
-- entry: first
-- input { [2i32, 2i32, 3i32] 2i64 } output { [16i32, 16i32, 24i32] }
entry first [n] (xs: [n]i32) (steps: i64) : [n]i32 =
  loop xs for _i < steps do let k = xs[0] in map (* k) xs

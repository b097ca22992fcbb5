-- Loops that overwrite an array from one end to the other, and read what they have not overwritten yet, are maps.

-- Rows that are there for some iterations only.
-- ==
-- tune @ apart.tune
-- entry: guarded
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [1, 2, 3, 4, 5, 9, 9] }
-- input { [1, 2] } output { [1, 2] }
entry guarded [n] (v: *[n]i32) : *[n]i32 =
  loop v for j < n do if j + 5 < n then #[unsafe] (v with [j + 5] = 9) else v

-- An iteration reads what later ones overwrite: that is what it was before the loop.
-- ==
-- entry: ahead
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [3, 5, 7, 9, 11, 13, 7] }
-- input { [1] } output { [1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry ahead [n] (v: *[n]i32) : *[n]i32 =
  loop v for j < n - 1 do v with [j] = v[j] + v[j + 1]

-- What earlier iterations have written makes it a loop.
-- ==
-- entry: behind
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [1, 3, 6, 10, 15, 21, 28] }
entry behind [n] (v: *[n]i32) : *[n]i32 =
  loop v for j < n - 1 do v with [j + 1] = v[j] + v[j + 1]

-- Downwards, what is before is later.
-- ==
-- entry: down
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [1, 1, 2, 3, 4, 5, 6] }
-- input { [1] } output { [1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry down [n] (v: *[n]i32) : *[n]i32 =
  loop v for j < n - 1 do v with [n - 1 - j] = v[n - 2 - j]

-- Whether all of it is there is checked by each iteration.
-- ==
-- entry: later
-- input { 3i64 [1, 2, 3, 4, 5, 6, 7] } output { [5, 7, 9, 4, 5, 6, 7] }
-- input { 7i64 [1, 2, 3, 4, 5, 6, 7] } error: out of bounds
entry later [n] (k: i64) (v: *[n]i32) : *[n]i32 =
  loop v for j < k do v with [j] = v[j] + v[j + 3]

-- The last iteration reads what the first has written.
-- ==
-- entry: mod_n
-- input { [1, 2, 3, 4] } output { [3, 5, 7, 7] }
entry mod_n [n] (v: *[n]i32) : *[n]i32 =
  loop v for j < n do v with [j] = v[j] + v[(j + 1) % n]

-- Rows of rows, in a loop inside.
-- ==
-- entry: rows_ahead
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[7, 10], [13, 16], [5, 6]] }
entry rows_ahead [n] [m] (v: *[n][m]i32) : *[n][m]i32 =
  loop v for i < n - 1 do
    loop v for k < m do
      let v = v with [i, k] = v[i, k] + v[i + 1, k]
      in v with [i, k] = v[i, k] + v[i + 1, k]

-- Two arrays.
-- ==
-- entry: two
-- input { [1, 2, 3] [10, 20, 30] } output { [23, 35, 3] [35, 58, 30] }
entry two [n] (v: *[n]i32) (w: *[n]i32) : (*[n]i32, *[n]i32) =
  loop (v, w) for j < n - 1 do
    let a = v[j + 1] + w[j + 1] + v[j]
    let b = w[j] + a + v[j + 1]
    in (v with [j] = a, w with [j] = b)

-- A tree of prices is rolled back in its array, step by step: the new prices, and then they are written. With two arrays it is one launch for each step.
-- ==
-- entry: in_place
-- input { 3i64 [1f64, 2f64] } output { [1.5, 3.0] } structure run { launches 8 waits 1 }
-- input { 0i64 [1f64, 2f64] } output { [0.0, 0.0] }
-- input { 3i64 empty([0]f64) } output { empty([0]f64) }
entry in_place [n] (steps: i64) (spots: [n]f64) : [n]f64 =
  map (\s ->
    let v =
      loop v = tabulate (steps + 1) (\j -> s * f64.i64 j) for t < steps do
        loop v for j < steps - t do v with [j] = (v[j] + v[j + 1]) / 2
    in v[0]) spots

-- ==
-- entry: of_two
-- input { 3i64 [1f64, 2f64] } output { [1.5, 3.0] } structure run { launches 5 waits 1 }
-- input { 0i64 [1f64, 2f64] } output { [0.0, 0.0] }
-- input { 3i64 empty([0]f64) } output { empty([0]f64) }
entry of_two [n] (steps: i64) (spots: [n]f64) : [n]f64 =
  map (\s ->
    let v =
      loop v = tabulate (steps + 1) (\j -> s * f64.i64 j) for t < steps do
        tabulate (steps + 1) (\j ->
          if j < steps - t then (v[j] + v[j + 1]) / 2 else v[j])
    in v[0]) spots

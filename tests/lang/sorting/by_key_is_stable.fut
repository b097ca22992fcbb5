-- Elements with equal keys stay in their order, whatever elements and keys are.
-- ==
-- entry: pairs
-- input { [3, 1, 2, 1, 3, 1] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [1, 1, 1, 2, 3, 3] [1i64, 3i64, 5i64, 2i64, 0i64, 4i64] }
-- input { empty([0]i32) empty([0]i64) } output { empty([0]i32) empty([0]i64) }

-- ==
-- entry: downwards
-- input { [1.5f32, -2f32, 7f32, 0f32] } output { [7f32, 1.5f32, 0f32, -2f32] }

-- ==
-- entry: rows
-- input { [[3, 1], [1, 2], [2, 3], [1, 4]] } output { [[1, 2], [1, 4], [2, 3], [3, 1]] }

-- ==
-- entry: by_length
-- input { 6i64 } output { [5i64, 5i64, 4i64, 5i64, 3i64, 4i64, 5i64] [0i64, 0i64, 1i64, 1i64, 2i64, 3i64] }

entry pairs [n] (keys: [n]i32) (values: [n]i64) =
  unzip (sort_by_key (.0) (zip keys values))

entry downwards (xs: []f32) = sort_by_key f32.neg xs

entry rows [n] (xss: [n][2]i32) = sort_by_key (\row -> row[0]) xss

-- | Rows of different lengths, the shortest first: what is in them, and their lengths.
entry by_length (n: i64) =
  let rows: [n][?]i64 = map (\i -> (n - i % 4)..<n) (iota n)
  let sorted = sort_by_key length rows
  in (irregular.flatten sorted, map length sorted)

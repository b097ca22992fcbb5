-- Parts of arrays, new arrays, and arrays in another shape.

-- ==
-- entry: sizes
-- input { [7, 8, 9] } output { 3i64 false }
-- input { empty([0]i32) } output { 0i64 true }
entry sizes [n] (xs: [n]i32) : (i64, bool) =
  (length xs, null xs)

-- ==
-- entry: ends
-- input { [7, 8, 9] } output { 7 9 [8, 9] [7, 8] }
-- input { [7] } output { 7 7 empty([0]i32) empty([0]i32) }
entry ends [n] (xs: [n]i32) : (i32, i32, [n - 1]i32, [n - 1]i32) =
  (head xs, last xs, tail xs, init xs)

-- ==
-- entry: no_head
-- input { empty([0]i32) } error: .
entry no_head (xs: []i32) : i32 = head xs

-- ==
-- entry: parts
-- input { 1i64 [7, 8, 9] } output { [7] [8, 9] }
-- input { 0i64 [7, 8, 9] } output { empty([0]i32) [7, 8, 9] }
-- input { 3i64 [7, 8, 9] } output { [7, 8, 9] empty([0]i32) }
-- input { 4i64 [7, 8, 9] } error: .
entry parts [n] (i: i64) (xs: [n]i32) : ([i]i32, [n - i]i32) =
  (take i xs, drop i xs)

-- ==
-- entry: with_size
-- input { 3i64 [7, 8, 9] } output { [7, 8, 9] }
-- input { 2i64 [7, 8, 9] } error: .
entry with_size (n: i64) (xs: []i32) : [n]i32 = sized n xs

-- ==
-- entry: split_by_type
-- input { [1, 2] [3, 4, 5] } output { [1, 2] [3, 4, 5] }
entry split_by_type [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n]i32, [m]i32) =
  split (xs ++ ys)

-- ==
-- entry: reversed
-- input { [7, 8, 9] } output { [9, 8, 7] }
entry reversed [n] (xs: [n]i32) : [n]i32 = reverse xs

-- ==
-- entry: joined
-- input { [1, 2] [3] } output { [1, 2, 3] [3, 1, 2] }
entry joined [n] [m] (xs: [n]i32) (ys: [m]i32) : (*[n + m]i32, *[m + n]i32) =
  (xs ++ ys, concat ys xs)

-- ==
-- entry: counting
-- input { [true, false, true] } output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
entry counting [n] (xs: [n]bool) : (*[n]i64, *[n]i64) =
  (iota n, indices xs)

-- ==
-- entry: rotated
-- input { 1i64 [7, 8, 9] } output { [8, 9, 7] }
-- input { -1i64 [7, 8, 9] } output { [9, 7, 8] }
-- input { 5i64 [7, 8, 9] } output { [9, 7, 8] }
-- input { 0i64 [7, 8, 9] } output { [7, 8, 9] }
-- input { -3i64 [7, 8, 9] } output { [7, 8, 9] }
-- input { -9223372036854775808i64 [7, 8, 9] } output { [8, 9, 7] }
-- input { 9223372036854775807i64 [7, 8, 9] } output { [8, 9, 7] }
-- input { 5i64 empty([0]i32) } output { empty([0]i32) }
entry rotated [n] (r: i64) (xs: [n]i32) : *[n]i32 = rotate r xs

-- ==
-- entry: repeated
-- input { 2i64 5 } output { [5, 5] [5, 5] }
-- input { 0i64 5 } output { empty([0]i32) empty([0]i32) }
entry repeated (n: i64) (x: i32) : (*[n]i32, *[n]i32) =
  (replicate n x, rep x)

-- ==
-- entry: copied
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 2, 3] [1, 2, 8] }
entry copied [n] (xs: [n]i32) : ([n]i32, *[n]i32, *[n]i32) =
  ( xs
  , (copy xs) with [0] = 9
  , (manifest xs) with [2] = 8
  )

-- ==
-- entry: reshaped
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 2, 3, 4, 5, 6] [[1, 2, 3], [4, 5, 6]] [[1, 4], [2, 5], [3, 6]] }
entry reshaped [n] [m] (xss: [n][m]i32) : ([n * m]i32, [n][m]i32, [m][n]i32) =
  let flat: [n * m]i32 = flatten xss
  in (flat, unflatten flat, transpose xss)

-- ==
-- entry: reshaped_3d
-- input { [[[1, 2]], [[3, 4]]] } output { [1, 2, 3, 4] [[[1, 2]], [[3, 4]]] }
entry reshaped_3d [n] [m] [l]
                  (xs: [n][m][l]i32) : ([n * m * l]i32, [n][m][l]i32) =
  let flat: [n * m * l]i32 = flatten_3d xs
  in (flat, unflatten_3d flat)

-- ==
-- entry: reshaped_4d
-- input { [[[[1], [2]]], [[[3], [4]]]] } output { [1, 2, 3, 4] [[[[1], [2]]], [[[3], [4]]]] }
entry reshaped_4d [n] [m] [l] [k]
                  (xs: [n][m][l][k]i32)
    : ([n * m * l * k]i32, [n][m][l][k]i32) =
  let flat: [n * m * l * k]i32 = flatten_4d xs
  in (flat, unflatten_4d flat)

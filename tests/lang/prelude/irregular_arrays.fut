-- From irregular arrays to their parts and back.

-- ==
-- entry: rows_of_varying_length
-- input { [3i64, 0i64, 2i64] } output { [3i64, 0i64, 2i64] [0i64, 1i64, 2i64, 0i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry rows_of_varying_length [n] (is: [n]i64) : ([n]i64, []i64) =
  let xss: [n][?]i64 = map (\i -> iota i) is
  in (lengths xss, irregular.flatten xss)

-- ==
-- entry: sums_of_segments
-- input { [2i64, 0i64, 3i64] [1, 2, 3, 4, 5] } output { [3, 0, 12] }
-- input { [2i64] [1, 2, 3] } error: .
-- input { [4i64, -1i64] [1, 2, 3] } error: .
entry sums_of_segments [n] [m] (lens: [n]i64) (xs: [m]i32) : [n]i32 =
  let xss: [n][?]i32 = segment lens xs
  in map (\row -> i32.sum row) xss

-- ==
-- entry: there_and_back
-- input { [2i64, 0i64, 3i64] [1, 2, 3, 4, 5] } output { [2i64, 0i64, 3i64] [1, 2, 3, 4, 5] }
entry there_and_back [n] [m] (lens: [n]i64) (xs: [m]i32) : ([n]i64, []i32) =
  let xss: [n][?]i32 = irregular.segment lens xs
  let yss: [n][?]i32 = segment (irregular.lengths xss) (irregular.flatten xss)
  in (lengths yss, irregular.flatten yss)

-- ==
-- entry: places
-- input { [2i64, 0i64, 3i64] } output { [0i64, 2i64, 2i64] [0i64, 0i64, 2i64, 2i64, 2i64] }
entry places [n] (lens: [n]i64) : ([n]i64, []i64) =
  let xss: [n][?]i64 = map (\i -> iota i) lens
  in (irregular.offsets xss, irregular.owners xss)

-- ==
-- entry: to_regular
-- input { 2i64 [2i64, 2i64] [1, 2, 3, 4] } output { [[1, 2], [3, 4]] }
-- input { 2i64 [1i64, 3i64] [1, 2, 3, 4] } error: .
entry to_regular [n] [k] (m: i64) (lens: [n]i64) (xs: [k]i32) : [n][m]i32 =
  irregular.regular m (segment lens xs)

-- ==
-- entry: from_regular
-- input { [[1, 2], [3, 4]] } output { [2i64, 2i64] [1, 2, 3, 4] }
entry from_regular [n] [m] (xss: [n][m]i32) : ([n]i64, []i32) =
  let yss: [n][?]i32 = irregular.from_regular xss
  in (lengths yss, irregular.flatten yss)

-- ==
-- entry: appended
-- input { [1i64, 0i64] [7i64] [2i64, 1i64] [4i64, 5i64, 6i64] }
-- output { [3i64, 1i64] [7i64, 4i64, 5i64, 6i64] }
entry appended [n] [k] [m]
               (lens1: [n]i64)
               (xs: [k]i64)
               (lens2: [n]i64)
               (ys: [m]i64) : ([n]i64, []i64) =
  let zss: [n][?]i64 = irregular.append (segment lens1 xs) (segment lens2 ys)
  in (lengths zss, irregular.flatten zss)

-- ==
-- entry: element
-- input { [1, 2, 3] 2i64 } output { 3 }
-- input { [1, 2, 3] 3i64 } error: Index 3 is out of bounds for a dimension of length 3
-- input { empty([0]i32) 0i64 } error: Index 0 is out of bounds for a dimension of length 0
-- input { [1] 9223372036854775807i64 } error: Index 9223372036854775807 is out of bounds for a dimension of length 1
entry element (xs: []i32) (i: i64) : i32 = xs[i]

-- ==
-- entry: element_of_matrix
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 } output { 6 }
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 0i64 } error: Index 2 is out of bounds for a dimension of length 2
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 3i64 } error: Index 3 is out of bounds for a dimension of length 3
entry element_of_matrix (xss: [][]i32) (i: i64) (j: i64) : i32 = xss[i, j]

-- ==
-- entry: row
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 } output { [4, 5, 6] }
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 } error: Index 2 is out of bounds for a dimension of length 2
entry row [n] [m] (xss: [n][m]i32) (i: i64) : [m]i32 = xss[i]

-- ==
-- entry: element_of_row
-- input { 3i64 2i64 1i64 } output { 1i64 }
-- input { 3i64 2i64 2i64 } error: Index 2 is out of bounds for a dimension of length 2
-- input { 3i64 3i64 0i64 } error: Index 3 is out of bounds for a dimension of length 3
entry element_of_row (n: i64) (i: i64) (j: i64) : i64 =
  let rows = map iota (iota n)
  in rows[i, j]

-- ==
-- entry: in_parallel
-- input { [10, 20] [1i64, 0i64, 1i64] } output { [20, 10, 20] }
-- input { [10, 20] [1i64, 2i64, 1i64] } error: Index 2 is out of bounds for a dimension of length 2
-- input { empty([0]i32) empty([0]i64) } output { empty([0]i32) }
entry in_parallel [n] (xs: []i32) (is: [n]i64) : [n]i32 = map (\i -> xs[i]) is

-- ==
-- entry: update
-- input { [1, 2, 3] 1i64 } output { [1, 7, 3] }
-- input { [1, 2, 3] 3i64 } error: Index 3 is out of bounds for a dimension of length 3
entry update (xs: *[]i32) (i: i64) : []i32 = xs with [i] = 7

-- The numbers of an unsigned type are no negative indices.
-- ==
-- entry: unsigned_index
-- input { [1, 2, 3] 2u8 } output { 3 }
-- input { [1, 2, 3] 255u8 } error: Index 255 is out of bounds for a dimension of length 3
entry unsigned_index (xs: []i32) (i: u8) : i32 = xs[i64.u8 i]

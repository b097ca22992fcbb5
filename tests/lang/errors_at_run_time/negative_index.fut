-- A negative index does not count from the end.
-- ==
-- entry: element
-- input { [1, 2, 3] 0i64 } output { 1 }
-- input { [1, 2, 3] -1i64 } error: Index -1 is out of bounds for a dimension of length 3
-- input { empty([0]i32) -1i64 } error: Index -1 is out of bounds for a dimension of length 0
entry element (xs: []i32) (i: i64) : i32 = xs[i]

-- ==
-- entry: element_of_matrix
-- input { [[1, 2], [3, 4]] 0i64 -1i64 } error: Index -1 is out of bounds for a dimension of length 2
-- input { [[1, 2], [3, 4]] -2i64 0i64 } error: Index -2 is out of bounds for a dimension of length 2
entry element_of_matrix (xss: [][]i32) (i: i64) (j: i64) : i32 = xss[i, j]

-- ==
-- entry: update
-- input { [1, 2, 3] -3i64 } error: Index -3 is out of bounds for a dimension of length 3
entry update (xs: *[]i32) (i: i64) : []i32 = xs with [i] = 7

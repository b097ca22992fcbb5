-- ==
-- entry: to_constant
-- input { [1, 2, 3] } output { [1, 2, 3] }
-- input { [1, 2] } error: The size is 2, but 3 was expected
-- input { empty([0]i32) } error: The size is 0, but 3 was expected
entry to_constant (xs: []i32) : [3]i32 = xs :> [3]i32

-- ==
-- entry: to_size_of_another
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: The size is 1, but 2 was expected
entry to_size_of_another [n] (xs: [n]i32) (ys: []i32) : [n]i32 =
  map2 (+) xs (ys :> [n]i32)

-- ==
-- entry: to_sum_of_sizes
-- input { [1, 2] [3] } output { [1, 2, 3] }
-- input { [1, 2] [3, -4] } error: The size is 3, but 4 was expected
entry to_sum_of_sizes [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 =
  filter (>= 0) (xs ++ ys) :> [n + m]i32

-- ==
-- entry: inner_dimension
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { [[1, 2, 3], [4, 5, 6]] } error: The size is 3, but 2 was expected
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- input { empty([0][3]i32) } error: The size is 3, but 2 was expected
entry inner_dimension [n] (xss: [n][]i32) : [n][2]i32 = xss :> [n][2]i32

-- ==
-- entry: of_rows
-- input { [2i64, 2i64] } output { [[0i64, 1i64], [0i64, 1i64]] }
-- input { [2i64, 3i64] } error: A row has the size 3, but 2 was expected
-- input { empty([0]i64) } output { empty([0][2]i64) }
entry of_rows [n] (lens: [n]i64) : [n][2]i64 = map iota lens :> [n][2]i64

-- ==
-- entry: unflattened
-- input { 2i64 [1, 2, 3, 4] } output { [[1, 2], [3, 4]] }
-- input { 2i64 [1, 2, 3] } error: The size is 3, but 2 was expected
entry unflattened [n] (m: i64) (xs: [n]i32) : [][m]i32 =
  unflatten (xs :> [(n / m) * m]i32)

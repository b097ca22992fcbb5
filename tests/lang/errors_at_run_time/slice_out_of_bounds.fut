-- ==
-- entry: part
-- input { [1, 2, 3] 1i64 3i64 } output { [2, 3] }
-- input { [1, 2, 3] 3i64 3i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 0i64 0i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 1i64 4i64 } error: The slice 1:4 is out of bounds for a dimension of length 3
-- input { [1, 2, 3] -1i64 2i64 } error: The slice -1:2 is out of bounds for a dimension of length 3
-- input { [1, 2, 3] 2i64 1i64 } error: [Ss]lice
entry part (xs: []i32) (a: i64) (b: i64) : []i32 = xs[a:b]

-- ==
-- entry: by_steps
-- input { [1, 2, 3, 4, 5] 0i64 5i64 2i64 } output { [1, 3, 5] }
-- input { [1, 2, 3, 4, 5] 4i64 0i64 -2i64 } output { [5, 3] }
-- input { [1, 2, 3, 4, 5] 0i64 6i64 2i64 } output { [1, 3, 5] }
-- input { [1, 2, 3, 4, 5] 0i64 7i64 2i64 } error: The slice of 4 elements from 0 with stride 2 is out of bounds for a dimension of length 5
-- input { [1, 2, 3, 4, 5] 5i64 0i64 -1i64 } error: The slice of 5 elements from 5 with stride -1 is out of bounds for a dimension of length 5
-- input { [1, 2, 3, 4, 5] 0i64 5i64 0i64 } error: stride|Division by zero
-- input { [1, 2, 3, 4, 5] 0i64 5i64 -1i64 } error: The slice from 0 with stride -1 of a dimension of length 5 has the length -5, which is negative
-- input { [1, 2, 3, 4, 5] 9223372036854775807i64 -1i64 -1i64 } error: [Ss]lice from 9223372036854775807
-- input { [1, 2, 3, 4, 5] 4i64 -1i64 -2i64 } output { [5, 3, 1] }
-- input { [1, 2, 3, 4, 5] 4i64 -2i64 -2i64 } error: bounds of a slice are not negative
-- input { [1, 2, 3, 4, 5] 0i64 -1i64 2i64 } error: bounds of a slice are not negative
-- input { [1, 2, 3, 4, 5] 0i64 5i64 9223372036854775807i64 } output { [1] }
-- input { [1, 2, 3, 4, 5] 4i64 -1i64 -9223372036854775808i64 } output { [5] }
-- input { [1, 2, 3, 4, 5] 4i64 -1i64 -9223372036854775807i64 } output { [5] }
-- input { [1, 2, 3, 4, 5] -9223372036854775808i64 9223372036854775807i64 2i64 } error: bounds of a slice are not negative
-- input { [1, 2, 3, 4, 5] 0i64 9223372036854775807i64 9223372036854775807i64 } output { [1] }
-- input { [1, 2, 3, 4, 5] 0i64 9223372036854775807i64 9223372036854775806i64 } error: out of bounds
-- input { [1, 2, 3, 4, 5] -3i64 -3i64 2i64 } output { empty([0]i32) }
entry by_steps (xs: []i32) (a: i64) (b: i64) (step: i64) : []i32 = xs[a:b:step]

-- ==
-- entry: by_known_steps
-- input { [1, 2, 3, 4, 5] } output { [1] [5] [4, 2] [5, 2] }
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [1] [7] [6, 4, 2] [7, 4, 1] }
entry by_known_steps [n] (xs: [n]i32) : ([]i32, []i32, []i32, []i32) =
  ( xs[0:n:9223372036854775807]
  , xs[::-9223372036854775808]
  , xs[n - 2:0:-2]
  , xs[n - 1:-1:-3]
  )

-- ==
-- entry: beyond_the_front
-- input { [1, 2, 3] } error: bounds of a slice are not negative
entry beyond_the_front (xs: []i32) : []i32 = xs[2:-2:-2]

-- ==
-- entry: columns
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 } output { [[2, 3], [5, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] 4i64 } error: [Ss]lice
entry columns [n] (xss: [n][]i32) (a: i64) : [n][]i32 = xss[:, a:]

-- ==
-- entry: of_rows
-- input { [2i64, 3i64] } output { [1i64, 2i64] [1i64, 1i64, 2i64] }
-- input { [2i64, 0i64] } error: [Ss]lice
entry of_rows [n] (lens: [n]i64) : ([n]i64, []i64) =
  let rows = (map iota lens)[:, 1:]
  in (lengths rows, irregular.flatten rows)

-- ==
-- entry: update
-- input { [1, 2, 3] 1i64 } output { [1, 8, 9] }
-- input { [1, 2, 3] 2i64 } error: The slice 2:4 is out of bounds for a dimension of length 3
entry update (xs: *[]i32) (a: i64) : []i32 = xs with [a:a + 2] = [8, 9]

-- ==
-- entry: take_and_drop
-- input { 2i64 [1, 2, 3] } output { [1, 2] [3] }
-- input { 4i64 [1, 2, 3] } error: The slice 0:4 is out of bounds for a dimension of length 3
-- input { -1i64 [1, 2, 3] } error: [Ss]lice
entry take_and_drop (k: i64) (xs: []i32) : ([]i32, []i32) =
  (take k xs, drop k xs)

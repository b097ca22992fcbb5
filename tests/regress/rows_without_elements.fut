-- Rows without elements cost nothing, however many there are.
-- ==
-- entry: rows
-- input { 9223372036854775807i64 0i64 } output { 9223372036854775807i64 }
-- input { 3i64 2i64 } output { 3i64 }

-- ==
-- entry: repeated
-- input { 9223372036854775807i64 0i64 } output { empty([9223372036854775807][0]i64) }

-- ==
-- entry: sums_of_columns
-- input { 9223372036854775807i64 0i64 } output { empty([0]i64) }
-- input { 3i64 2i64 } output { [3i64, 3i64] }

entry rows (n: i64) (m: i64) : i64 = length (replicate n (replicate m 0i8))

entry repeated (n: i64) (m: i64) : [n][m]i64 = replicate n (replicate m 0)

entry sums_of_columns (n: i64) (m: i64) : [m]i64 =
  let a = replicate n (replicate m 1)
  in map i64.sum (transpose a)

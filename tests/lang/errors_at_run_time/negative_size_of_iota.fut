-- ==
-- entry: numbers
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -1i64 } error: The size -1 is negative
-- input { -9223372036854775808i64 } error: The size -9223372036854775808 is negative
entry numbers (n: i64) : [n]i64 = iota n

-- ==
-- entry: of_rows
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { [2i64, -2i64, 3i64] } error: The size -2 is negative
entry of_rows [n] (lens: [n]i64) : []i64 = irregular.flatten (map iota lens)

-- ==
-- entry: tabulated
-- input { 3i64 } output { [0i64, 1i64, 4i64] }
-- input { -3i64 } error: The size -3 is negative
entry tabulated (n: i64) : [n]i64 = tabulate n (\i -> i * i)

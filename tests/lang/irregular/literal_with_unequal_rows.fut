def rows : [3][?]i32 = [[1], [2, 3], []]

-- ==
-- entry: second
-- input { } output { [2, 3] }
entry second : []i32 = rows[1]

-- ==
-- entry: all
-- input { } output { [1i64, 2i64, 0i64] [1, 2, 3] }
entry all : ([3]i64, []i32) = (lengths rows, irregular.flatten rows)

-- ==
-- entry: row
-- input { 0i64 } output { [1] }
-- input { 2i64 } output { empty([0]i32) }
-- input { 3i64 } error:
entry row (i: i64) : []i32 = copy rows[i]

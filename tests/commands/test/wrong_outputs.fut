-- ==
-- input { 1 } output { 3 }
-- input { 1 } output { 2i64 }
-- input { 1 } output { 2 3 }
-- input { -1 } output { 2 }
-- input { 2 } error:
-- input { -1 } error: no such words
-- input { 1i64 } output { 2 }
-- input { } output { 2 }
-- script input { unknown 1 } output { 2 }
-- input @ data/nowhere.in output { 2 }
def main (x: i32): i32 = assert (x > 0) (x + 1)

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[2, 3], [4, 4]] }
-- input { [[1, 2], [3, 4]] } output { [2, 3] }
entry rows [n] [m] (xs: [n][m]i32) = map (map (+ 1)) xs

-- ==
-- entry: missing
-- input { 1 } output { 2 }

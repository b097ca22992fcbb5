-- ==
-- entry: sums
-- input { [2i64, 0i64, 1i64] [1, 2, 3] } output { [3, 0, 3] }
-- input { empty([0]i64) empty([0]i32) } output { empty([0]i32) }
-- input { [2i64, 2i64] [1, 2, 3] } error: The rows have 4 elements in all, but the array has 3
-- input { [2i64] [1, 2, 3] } error: The rows have 2 elements in all, but the array has 3
-- input { empty([0]i64) [1] } error: The rows have 0 elements in all, but the array has 1
-- input { [4i64, -1i64] [1, 2, 3] } error: The length of row 1 is -1, which is negative
-- input { [-1i64, 4i64] [1, 2, 3] } error: The length of row 0 is -1, which is negative
entry sums [n] (lens: [n]i64) (xs: []i32) : [n]i32 =
  map i32.sum (segment lens xs)

-- ==
-- entry: in_parallel
-- input { 2i64 [2i64, 1i64] [1, 2, 3] } output { [[3, 3], [3, 3]] }
-- input { 2i64 [2i64, 2i64] [1, 2, 3] } error: The rows have 4 elements in all, but the array has 3
-- input { 0i64 [2i64, 2i64] [1, 2, 3] } output { empty([0][2]i32) }
entry in_parallel [n] (k: i64) (lens: [n]i64) (xs: []i32) : [k][n]i32 =
  map (\i -> map i32.sum (segment (map (+ i - i) lens) xs)) (iota k)

-- ==
-- entry: to
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] [0i64, 1i64, 2i64, 3i64, 4i64] [5i64, 4i64, 3i64, 2i64, 1i64] [0i64, 2i64, 4i64] [10i64, 8i64, 6i64] }
-- input { 0i64 } output { [0i64] empty([0]i64) empty([0]i64) empty([0]i64) [10i64, 8i64, 6i64, 4i64, 2i64, 0i64] }
-- input { 1i64 } output { [0i64, 1i64] [0i64] [1i64] [0i64] [10i64, 8i64, 6i64, 4i64, 2i64] }
-- input { -1i64 } error:
-- input { 12i64 } error:
entry to (n: i64) = (0...n, 0..<n, n..>0, 0..2..<n, 10..8...n)

-- ==
-- entry: slices
-- input { [1, 2, 3, 4, 5] } output { [2, 3, 4, 5] [1, 2, 3] [1, 3, 5] [2, 4] [5, 4, 3, 2, 1] }
-- input { [1, 2, 3] } output { [2, 3] [1, 2, 3] [1, 3] [2] [3, 2, 1] }
-- input { [1, 2] } error:
entry slices [n] (xs: [n]i32) = (xs[1:], xs[:3], xs[::2], xs[1:n:2], xs[::-1])

-- ==
-- entry: element
-- input { [[0, 1, 2, 3, 4], [10, 11, 12, 13, 14], [20, 21, 22, 23, 24], [30, 31, 32, 33, 34]] } output { [10, 11, 12, 13, 14] 12 [12, 22] 12 }
entry element (xss: [4][5]i32) = (xss[1], xss[1, 2], xss[1:3, 2], xss[1][2])

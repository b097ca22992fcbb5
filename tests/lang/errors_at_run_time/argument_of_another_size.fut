-- Sizes that the arguments of an entry point share are compared before it runs.
-- ==
-- entry: shared
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: The argument ys has a dimension of size 1, but 2 was expected
-- input { empty([0]i32) [3] } error: The argument ys has a dimension of size 1, but 0 was expected
entry shared [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) xs ys

-- ==
-- entry: constant
-- input { [1, 2, 3] } output { 6 }
-- input { [1, 2] } error: The argument xs has a dimension of size 2, but 3 was expected
entry constant (xs: [3]i32) : i32 = i32.sum xs

-- ==
-- entry: square
-- input { [[1, 2], [3, 4]] } output { [1, 4] }
-- input { [[1, 2, 3], [4, 5, 6]] } error: The argument xss has a dimension of size 3, but 2 was expected
entry square [n] (xss: [n][n]i32) : [n]i32 = map (\i -> xss[i, i]) (iota n)

-- ==
-- entry: inner
-- input { [[1, 2], [3, 4]] [10, 20] } output { [50, 110] }
-- input { [[1, 2], [3, 4]] [10, 20, 30] } error: The argument ys has a dimension of size 3, but 2 was expected
-- input { empty([0][2]i32) [10, 20, 30] } error: The argument ys has a dimension of size 3, but 2 was expected
entry inner [n] [m] (xss: [n][m]i32) (ys: [m]i32) : [n]i32 =
  map (\xs -> i32.sum (map2 (*) xs ys)) xss

-- ==
-- entry: given
-- input { 2i64 [1, 2] } output { [1, 2] }
-- input { 3i64 [1, 2] } error: The argument xs has a dimension of size 2, but 3 was expected
-- input { -1i64 empty([0]i32) } error: The argument xs has a dimension of size 0, but -1 was expected
entry given (n: i64) (xs: [n]i32) : [n]i32 = xs

-- ==
-- entry: computed
-- input { 1i64 [1, 2] } output { [1, 2] }
-- input { 2i64 [1, 2] } error: is 2, but 3 was expected|size 2, but 3 was expected
entry computed (n: i64) (xs: [n + 1]i32) : [n + 1]i32 = xs

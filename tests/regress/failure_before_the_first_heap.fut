-- A kernel fails, and the next one is the first whose threads allocate: what the first noted is not forgotten.
-- ==
-- input { [[1], [2]] [5i64] } error: Index 4 is out of bounds
-- input { empty([3][0]i32) empty([0]i64) } output { empty([3][0]i32) [0i64, 0i64, 0i64] }
-- input { [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]] [5i64, 6i64, 7i64, 8i64, 9i64] }
-- output { [[5, 5, 5, 5, 5], [10, 10, 10, 10, 10]] [32i64, 32i64] }
entry main [n] [m] (xss: [n][m]i32) (ws: [m]i64) : ([n][m]i32, [n]i64) =
  let yss = map (\xs -> map (\_ -> xs[4]) (iota m)) xss
  let sums = map (\_ -> i64.sum (scatter (copy ws) (map (* 2) (iota m)) ws)) xss
  in (yss, sums)

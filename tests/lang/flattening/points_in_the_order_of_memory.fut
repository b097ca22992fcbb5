-- Maps over arrays that were turned: their threads go through memory in its order, and what they make is turned, too.

def smooth [n] (xs: [n]i64) : [n]i64 =
  map (\i -> xs[i64.max 0 (i - 1)] + 2 * xs[i] + xs[i64.min (n - 1) (i + 1)])
      (iota n)

def weights : [3]i64 = [1, 2, 1]

def weighted [n] (xs: [n]i64) : [n]i64 =
  map (\i ->
    i64.sum (map2 (\w k -> w * xs[i64.max 0 (i64.min (n - 1) (i + k - 1))])
                  weights
                  (iota 3))) (iota n)

-- ==
-- entry: columns columns_weighted
-- input { [[1i64, 2, 3], [4, 5, 6]] } output { [[7i64, 13], [11, 17], [15, 21]] }
-- input { empty([0][3]i64) } output { empty([3][0]i64) }
-- input { empty([2][0]i64) } output { empty([0][2]i64) }
entry columns [n] [m] (xss: [n][m]i64) : [m][n]i64 = map smooth (transpose xss)
entry columns_weighted [n] [m] (xss: [n][m]i64) : [m][n]i64 =
  map weighted (transpose xss)

-- ==
-- entry: joined
-- input { [[1i64, 2, 3], [4, 5, 6]] }
-- output { [[7i64, 13], [11, 17], [15, 21], [7, 13], [11, 17], [15, 21]] }
entry joined [n] [m] (xss: [n][m]i64) : [][n]i64 =
  map smooth (transpose xss) ++ map weighted (transpose xss)

-- ==
-- entry: there_and_back
-- input { [[1i64, 2, 3], [4, 5, 6]] } output { [[32i64, 44, 56], [56, 68, 80]] }
entry there_and_back [n] [m] (xss: [n][m]i64) : [n][m]i64 =
  transpose (map weighted (transpose (map weighted xss)))

-- ==
-- entry: in_a_loop
-- input { [[1i64, 2], [3, 4]] 2i64 } output { [[7i64, 9], [11, 13]] [[1i64, 3], [2, 4]] }
entry in_a_loop [n] (xss: [n][n]i64) (k: i64) : ([n][n]i64, [n][n]i64) =
  ( loop xss for _i < k do map (map (/ 2)) (map smooth (transpose xss))
  , transpose xss
  )

-- ==
-- entry: three_dimensions
-- input { [[[1i64, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[[8i64, 16], [12, 20]], [[16, 24], [20, 28]]] }
entry three_dimensions [n] [m] [k] (xsss: [n][m][k]i64) : [m][k][n]i64 =
  map (map smooth) (map transpose (transpose xsss)) |> map (map (map (\x -> x)))

-- ==
-- entry: at_scale
-- input { 300i64 500i64 } output { true }
-- input { 1i64 5000i64 } output { true }
-- input { 5000i64 2i64 } output { true }
entry at_scale (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> i * 7 + j * j % 11)
  let yss = map smooth (transpose xss)
  let at i j = xss[i64.max 0 (i64.min (n - 1) i), j]
  let right j i = at (i - 1) j + 2 * at i j + at (i + 1) j
  in and (map2 (\j ys -> and (map2 (\i y -> y == right j i) (iota n) ys))
               (iota m)
               yss)

-- What is checked for each row is checked, too, if the rows have no elements.

-- ==
-- entry: take
-- input { [1i64] empty([0][0]f32) } error: Index 1 is out of bounds
-- input { [1i64, 7i64] empty([2][0]f32) } error: Index 7 is out of bounds
-- input { [1i64, 0i64] empty([2][0]f32) } output { empty([2][0]f32) }
-- input { empty([0]i64) empty([2][0]f32) } output { empty([0][0]f32) }
-- input { [1i64, 2i64] [[1f32], [2f32]] } error: Index 2 is out of bounds
entry take [n] [m] [k] (is: [k]i64) (xss: [n][m]f32) : [k][m]f32 =
  map (\i -> xss[i]) is

-- ==
-- entry: inner
-- input { [1i64, 7i64] 0i64 [1i64, 2i64] } error: Index 7 is out of bounds
-- input { [1i64, 1i64] 0i64 [1i64, 2i64] } output { empty([2][0]i64) }
-- input { [1i64, 0i64] 2i64 [1i64, 2i64] } output { [[2i64, 3i64], [1i64, 2i64]] }
entry inner [n] [k] (is: [k]i64) (m: i64) (xs: [n]i64) : [k][m]i64 =
  map (\i -> let x = xs[i] in map (\j -> x + j) (iota m)) is

-- ==
-- entry: deeper
-- input { [1i64, 7i64] 2i64 0i64 [1i64, 2i64] } error: Index 7 is out of bounds
-- input { [1i64, 7i64] 0i64 3i64 [1i64, 2i64] } error: Index 7 is out of bounds
-- input { [1i64, 0i64] 3i64 0i64 [1i64, 2i64] } error: Index 2 is out of bounds
-- input { [1i64, 0i64] 2i64 0i64 [1i64, 2i64] } output { empty([2][2][0]i64) }
entry deeper [n] [k]
             (is: [k]i64)
             (m: i64)
             (l: i64)
             (xs: [n]i64) : [k][m][l]i64 =
  map (\i ->
    let x = xs[i]
    in map (\j -> let y = xs[j] in map (\h -> x + y + h) (iota l)) (iota m)) is

-- ==
-- entry: scanned
-- input { [1i64, 7i64] empty([2][0]i64) } error: Index 7 is out of bounds
-- input { [1i64, 1i64] [[1i64, 2i64], [3i64, 4i64]] } output { [[3i64, 7i64], [3i64, 7i64]] }
entry scanned [n] [m] [k] (is: [k]i64) (xss: [n][m]i64) : [k][m]i64 =
  map (\i -> scan (+) 0 xss[i]) is

-- ==
-- entry: summed
-- input { [1i64, 7i64] empty([2][0]i64) } error: Index 7 is out of bounds
-- input { [1i64, 1i64] empty([2][0]i64) } output { [0i64, 0i64] }
entry summed [n] [m] [k] (is: [k]i64) (xss: [n][m]i64) : [k]i64 =
  map (\i -> i64.sum xss[i]) is

-- ==
-- entry: scattered
-- input { [1i64, 7i64] empty([2][0]i64) } error: Index 7 is out of bounds
-- input { [1i64, 1i64] [[1i64, 0i64], [1i64, 1i64]] } output { [[0i64, 1i64], [0i64, 1i64]] }
entry scattered [n] [m] [k] (is: [k]i64) (xss: [n][m]i64) : [k][m]i64 =
  map (\i -> scatter (replicate m 0) xss[i] (replicate m 1)) is

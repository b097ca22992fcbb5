type vector [n] = [n]f64

type matrix [n] [m] = [n]vector [m]

-- ==
-- entry: row
-- input { [[1f64, 2f64], [3f64, 4f64]] 1i64 } output { [3f64, 4f64] }
-- input { [[1f64, 2f64], [3f64, 4f64]] 2i64 } error:
entry row [n] [m] (a: matrix [n] [m]) (i: i64) : vector [m] = a[i]

-- ==
-- entry: shape
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] } output { 2i64 3i64 }
-- input { empty([0][4]f64) } output { 0i64 4i64 }
-- input { empty([4][0]f64) } output { 4i64 0i64 }
entry shape [n] [m] (_: matrix [n] [m]) : (i64, i64) = (n, m)

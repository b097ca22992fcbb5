-- The column is a part of a matrix whose size has two names, of which one has been replaced by the other.
-- ==
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] }
-- output { [[1.0, 3.0, 16.0], [4.0, 9.0, 46.0], [7.0, 8.0, 48.0]] }
def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)

def matmul [n] [m] [p] (a: [n][p]f64) (b: [p][m]f64) : *[n][m]f64 =
  map (\row -> map (\column -> dot row column) (transpose b)) a

entry main [n] (a: [n][n]f64) : *[n][n]f64 =
  loop v = copy a
  for i in 2...n do
    let c =
      loop c = replicate i (replicate 1 1f64)
      for j in i - 2..>-1 do
        c with [j, 0] = a[j, 0]
    in v with [:i, i - 1] = (matmul v[:i, :i] c)[:, 0]

-- Matrices: gradients of products written in several ways, and gathers.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def by_rows [n] [m] [k] (a: [n][k]f64) (b: [k][m]f64) : [n][m]f64 =
  map (\row -> map (dot row) (transpose b)) a

def by_indices [n] [m] [k] (a: [n][k]f64) (b: [k][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sum (tabulate k (\l -> a[i, l] * b[l, j])))

def by_loop [n] [m] [k] (a: [n][k]f64) (b: [k][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> loop s = 0 for l < k do s + a[i, l] * b[l, j])

-- ==
-- entry: rows indices sequential
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]] [[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]] }
-- output { [[25.0, 7.0], [8.0, 2.0], [24.0, 6.0]] [[6.0, 8.0, 7.0], [8.0, 10.0, 10.0]] }
-- input { empty([0][2]f64) [[7.0], [1.0]] empty([0][1]f64) } output { empty([0][2]f64) [[0.0], [0.0]] }
entry rows [n] [m] [k]
           (a: [n][k]f64)
           (b: [k][m]f64)
           (w: [n][m]f64) : ([n][k]f64, [k][m]f64) =
  vjp (\(a, b) -> by_rows a b) (a, b) w

entry indices [n] [m] [k]
              (a: [n][k]f64)
              (b: [k][m]f64)
              (w: [n][m]f64) : ([n][k]f64, [k][m]f64) =
  vjp (\(a, b) -> by_indices a b) (a, b) w

entry sequential [n] [m] [k]
                 (a: [n][k]f64)
                 (b: [k][m]f64)
                 (w: [n][m]f64) : ([n][k]f64, [k][m]f64) =
  vjp (\(a, b) -> by_loop a b) (a, b) w

-- A gather: elements that are read more than once matter more.
-- ==
-- entry: gather
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 2i64, 2i64] } output { [2.0, 0.0, 18.0] }
-- input { [1.0, 2.0, 3.0] empty([0]i64) } output { [0.0, 0.0, 0.0] }
entry gather [n] [m] (xs: [n]f64) (is: [m]i64) : [n]f64 =
  vjp (\xs -> f64.sum (map (\i -> xs[i] * xs[i]) is)) xs 1

-- Rows, of which a condition decides whether they are read.
-- ==
-- entry: gather_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] [1i64, -1i64, 1i64] } output { [[0.0, 0.0], [0.0, 2.0]] }
entry gather_rows [n] [m] [k] (xs: [n][k]f64) (is: [m]i64) : [n][k]f64 =
  vjp (\(xs: [n][k]f64) ->
    f64.sum (map (\i ->
      if i < 0
      then 0
      else f64.sum (map2 (*) xs[i] (tabulate k f64.i64))) is)) xs 1

-- A sparse matrix in compressed rows: rows of different lengths.
-- ==
-- entry: sparse
-- input { [0i64, 2i64, 2i64, 3i64] [1i64, 0i64, 1i64] [2.0, 3.0, 4.0] [5.0, 7.0] }
-- output { [7.0, 5.0, 7.0] [3.0, 6.0] }
entry sparse [r] [e] [n]
             (starts: [r]i64)
             (columns: [e]i64)
             (values: [e]f64)
             (x: [n]f64) : ([e]f64, [n]f64) =
  let product (values: [e]f64, x: [n]f64) =
    f64.sum (map (\i ->
      loop s = 0
      for at in starts[i]..<starts[i + 1] do
        s + values[at] * x[columns[at]]) (iota (r - 1)))
  in vjp product (values, x) 1

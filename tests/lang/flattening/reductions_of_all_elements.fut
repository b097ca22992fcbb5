-- A reduction of the reductions of rows by the same operator is one over all elements, which may yield a matrix, too.

-- ==
-- entry: step step_by_rows
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 9f64]] } output { [[1f64, 2.5f64, 3f64], [4f64, 5f64, 9f64]] 0.5f64 }
-- input { [[1f64]] } output { [[1f64]] 0f64 }
-- input { empty([0][3]f64) } output { empty([0][3]f64) 0f64 }
-- input { empty([3][0]f64) } output { empty([3][0]f64) 0f64 }
entry step [n] [m] (x: [n][m]f64) : ([n][m]f64, f64) =
  let next =
    tabulate_2d n m (\i j ->
      if i > 0 || j == 0 || j == m - 1
      then x[i, j]
      else (x[i, j - 1] + x[i, j + 1] + x[i + 1, j] + x[i, j]) / 4 - 0.25)
  let change = map2 (map2 (\a b -> f64.abs (a - b))) x next
  in (next, reduce f64.max 0 (flatten change))

entry step_by_rows [n] [m] (x: [n][m]f64) : ([n][m]f64, f64) =
  let (rows, changes) =
    unzip (map2 (\i row ->
      let next =
        map2 (\j a ->
          if i > 0 || j == 0 || j == m - 1
          then a
          else (row[j - 1] + row[j + 1] + x[i + 1, j] + a) / 4
               - 0.25) (iota m) row
      in ( next
         , reduce f64.max 0 (map2 (\a b -> f64.abs (a - b)) row next)
         )) (iota n) x)
  in (rows, reduce f64.max 0 changes)

-- The order of the elements matters.
-- ==
-- entry: composed
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { 24i64 9i64 }
-- input { empty([0][2]i64) } output { 1i64 0i64 }
entry composed [n] [m] (xs: [n][m]i64) : (i64, i64) =
  let compose (a: i64, b: i64) (c: i64, d: i64) = (a * c, a * d + b)
  in reduce compose
            (1, 0)
            (map (\row -> reduce compose (1, 0) (map (\x -> (x, x % 3)) row))
                 xs)

-- Sums of sums, and the matrix that they are of is overwritten.
-- ==
-- entry: overwritten
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[0i64, 5i64], [10i64, 17i64], [26i64, 37i64]] 97i64 }
entry overwritten [n] [m] (xs: [n][m]i64) : ([n][m]i64, i64) =
  let ys = map (map (\x -> x * x + 1)) xs
  let total = i64.sum (map i64.sum ys)
  in (copy ys with [0, 0] = 0, total)

-- An element that cannot be computed.
-- ==
-- entry: failing
-- input { [[0i64, 1i64], [1i64, 0i64]] [3i64, 4i64] } output { 14i64 }
-- input { [[0i64, 1i64], [2i64, 0i64]] [3i64, 4i64] } error: out of bounds
-- input { empty([0][2]i64) [3i64, 4i64] } output { 0i64 }
entry failing [n] [m] [k] (is: [n][m]i64) (xs: [k]i64) : i64 =
  i64.sum (map (\row -> i64.sum (map (\i -> xs[i]) row)) is)

-- Many small systems of equations, by elimination with pivots: a group of threads for each, whose matrices have a column more.
-- ==
-- script input { systems 5i64 4i64 } auto output
-- script input { systems 0i64 4i64 } auto output
-- script input { systems 3i64 1i64 } auto output
-- script input { systems 40i64 17i64 } auto output
entry systems (m: i64) (n: i64) : ([m][n][n]f64, [m][n]f64) =
  ( tabulate_3d m n n (\k i j ->
    f64.sin (f64.i64 (k * 17 + i * n + j * 3)) + (if i == j then 3 else 0))
  , tabulate_2d m n (\k i -> f64.i64 (k + i))
  )

def solve [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let m = n + 1
  let ab = map2 (\row x -> (row ++ [x]) :> [m]f64) a b
  let larger (x, i) (y, j) =
    if x > y || (x == y && i < j) then (x, i) else (y, j)
  let ab =
    loop ab for i < n do
      let (_, p) =
        reduce_comm larger
                    (-1, -1)
                    (map (\k ->
                            if k < i then (-1, -1) else (f64.abs ab[k, i], k))
                         (iota n))
      let pivot = copy ab[p]
      let other = copy ab[i]
      let ab = ab with [p] = other
      let ab = ab with [i] = pivot
      in map2 (\k row ->
        if k <= i
        then row
        else
          let f = row[i] / pivot[i]
          in map2 (\x y -> x - f * y) row pivot) (iota n) ab
  in loop x = replicate n 0 for k < n do
       let i = n - 1 - k
       let s =
         f64.sum (map (\j -> if j > i then ab[i, j] * x[j] else 0) (iota n))
       in x with [i] = (ab[i, n] - s) / ab[i, i]

entry main [m] [n] (as: [m][n][n]f64) (bs: [m][n]f64) : [m][n]f64 =
  map2 solve as bs

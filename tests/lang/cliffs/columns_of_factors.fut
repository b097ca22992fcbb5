-- Factorisations column by column: the reductions of a column are a kernel for all of it, whatever each row makes of its own.
-- ==
-- tune @ apart.tune
-- entry: rows_with_columns columns_at_once
-- input { [[[4f64, 2f64, 2f64], [2f64, 5f64, 3f64], [2f64, 3f64, 6f64]], [[1f64, 0f64, 0f64], [0f64, 9f64, 3f64], [0f64, 3f64, 17f64]]] }
-- output { [[[2f64, 0f64, 0f64], [1f64, 2f64, 0f64], [1f64, 1f64, 2f64]], [[1f64, 0f64, 0f64], [0f64, 3f64, 0f64], [0f64, 1f64, 4f64]]] } structure run { launches 15 waits 1 }
-- input { empty([0][2][2]f64) } output { empty([0][2][2]f64) }
-- input { empty([2][0][0]f64) } output { empty([2][0][0]f64) }
def column [n] (a: [n][n]f64) (l: [n][n]f64) (j: i64) : [n]f64 =
  let d =
    a[j, j]
    - f64.sum (map (\k -> if k < j then l[j, k] * l[j, k] else 0) (iota n))
  let d = f64.sqrt d
  in map (\i ->
    if i < j
    then 0
    else if i == j
    then d
    else (a[i, j] - f64.sum (map (\k -> l[i, k] * l[j, k]) (iota n)))
         / d) (iota n)

entry rows_with_columns [b] [n] (as: [b][n][n]f64) : [b][n][n]f64 =
  map (\a ->
    loop l = replicate n (replicate n 0f64) for j < n do
      map2 (\row x -> copy row with [j] = x) l (column a l j)) as

entry columns_at_once [b] [n] (as: [b][n][n]f64) : [b][n][n]f64 =
  map (\a ->
    loop l = replicate n (replicate n 0f64) for j < n do
      copy l with [:, j] = column a l j) as

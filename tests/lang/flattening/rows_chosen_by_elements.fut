-- A branch in a map that chooses between rows, each computed element by element.

-- ==
-- entry: eliminate
-- input { [[2f64, 4], [1, 5]] 0i64 } output { [[1f64, 2], [0, 3]] }
-- input { [[2f64, 4], [1, 5]] 1i64 } output { [[1.2f64, 0], [0.2, 1]] }
-- input { [[2f64, 4], [1, 5]] 2i64 } error: out of bounds
entry eliminate [n] [m] (a: [n][m]f64) (k: i64) : [n][m]f64 =
  let pivot = map (/ a[k, k]) a[k]
  in map2 (\i row ->
             if i == k then pivot else map2 (\x y -> x - row[k] * y) row pivot)
          (iota n)
          a

-- ==
-- entry: either
-- input { [[1i64, 2], [3, 4], [5, 6]] [0i64, 1, 2] } output { [[10i64, 20], [7, 7], [25, 36]] [[1i64, 2], [9, 16], [5, 6]] }
-- input { empty([0][2]i64) empty([0]i64) } output { empty([0][2]i64) empty([0][2]i64) }
-- input { empty([2][0]i64) [0i64, 1] } output { empty([2][0]i64) empty([2][0]i64) }
entry either [n] [m] (xss: [n][m]i64) (ks: [n]i64) : ([n][m]i64, [n][m]i64) =
  unzip (map2 (\xs k ->
    if k == 0
    then (map (* 10) xs, xs)
    else if k == 1
    then (replicate m 7, map (\x -> x * x) xs)
    else (map (\x -> x * x) xs, xs)) xss ks)

-- ==
-- entry: matrices
-- input { [true, false] [[[1i64, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[[2i64, 3], [4, 5]], [[5, 6], [7, 8]]] }
entry matrices [n] [m] [k] (cs: [n]bool) (xsss: [n][m][k]i64) : [n][m][k]i64 =
  map2 (\c xss -> if c then map (map (+ 1)) xss else xss) cs xsss

-- An index is checked only where its branch is taken.
-- ==
-- entry: checked
-- input { [0i64, 5] [[1i64, 2], [3, 4]] } output { [[1i64, 1], [3, 4]] }
-- input { [0i64, 2] [[1i64, 2], [3, 4]] } error: out of bounds
-- input { [2i64, 5] empty([2][0]i64) } error: out of bounds
entry checked [n] [m] (ks: [n]i64) (xss: [n][m]i64) : [n][m]i64 =
  map2 (\k xs ->
          if k < 4 then (let x = xs[k] in map (\y -> x + y - y) xs) else xs)
       ks
       xss

-- ==
-- entry: at_scale
-- input { 700i64 30i64 } output { true }
-- input { 3i64 9000i64 } output { true }
-- input { 9000i64 3i64 } output { true }
entry at_scale (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> i * m + j)
  let yss =
    map2 (\i xs ->
      if i % 3 == 0
      then map (* 2) xs
      else if i % 3 == 1
      then xs
      else replicate m i) (iota n) xss
  let right i j =
    if i % 3 == 0 then 2 * (i * m + j) else if i % 3 == 1 then i * m + j else i
  in and (map2 (\i ys -> and (map2 (\j y -> y == right i j) (iota m) ys))
               (iota n)
               yss)

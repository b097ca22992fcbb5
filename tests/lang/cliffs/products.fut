-- Matrix products in their forms, and what goes through all pairs: one kernel, whatever stands around the sum.

-- ==
-- tune @ whole.tune
-- entry: plain plain_by_index plain_by_loop plain_by_reduce
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, 3f32]] }
-- output { [[1.0f32, 2.0f32, 8.0f32], [3.0f32, 4.0f32, 18.0f32], [5.0f32, 6.0f32, 28.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry plain [n] [m] [k] (xs: [n][m]f32) (ys: [m][k]f32) : [n][k]f32 =
  map (\x -> map (\y -> f32.sum (map2 (*) x y)) (transpose ys)) xs

entry plain_by_index [n] [m] [k] (xs: [n][m]f32) (ys: [m][k]f32) : [n][k]f32 =
  tabulate_2d n k (\i j -> f32.sum (tabulate m (\l -> xs[i, l] * ys[l, j])))

entry plain_by_loop [n] [m] [k] (xs: [n][m]f32) (ys: [m][k]f32) : [n][k]f32 =
  tabulate_2d n k (\i j -> loop s = 0 for l < m do s + xs[i, l] * ys[l, j])

entry plain_by_reduce [n] [m] [k] (xs: [n][m]f32) (ys: [m][k]f32) : [n][k]f32 =
  map (\x ->
    map (\j -> reduce (\a b -> b + a) 0 (map2 (\a y -> y[j] * a) x ys))
        (iota k)) xs

-- ==
-- entry: block_of_rows
-- input { [[[1f32, 2f32], [3f32, 4f32]], [[0f32, 1f32], [2f32, 3f32]]] [[5f32, 6f32], [7f32, 8f32], [0f32, 1f32], [1f32, 0f32]] 1i64 }
-- output { [[[2.0f32, 1.0f32], [4.0f32, 3.0f32]], [[1.0f32, 0.0f32], [3.0f32, 2.0f32]]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry block_of_rows [q] [n]
                    (xss: [q][n][n]f32)
                    (ys: [q * n][n]f32)
                    (i: i64) : [q][n][n]f32 =
  map (\xs ->
    let yss = unflatten ys
    in map (\x -> map (\y -> f32.sum (map2 (*) x y)) yss[i]) xs) xss

-- ==
-- entry: relu relu_by_index relu_after
-- input { [[1f32, 2f32], [-3f32, 4f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, -3f32]] [1f32, 2f32, 3f32] }
-- output { [[2.0f32, 4.0f32, 0.0f32], [0.0f32, 6.0f32, 0.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry relu [n] [m] [k] (xs: [n][m]f32) (w: [m][k]f32) (b: [k]f32) : [n][k]f32 =
  map (\x ->
    map2 (\col c -> f32.max 0 (f32.sum (map2 (*) x col) + c))
         (transpose w)
         b) xs

entry relu_by_index [n] [m] [k]
                    (xs: [n][m]f32)
                    (w: [m][k]f32)
                    (b: [k]f32) : [n][k]f32 =
  tabulate_2d n k (\i j ->
    let s = b[j] + reduce (+) 0 (map (\l -> w[l, j] * xs[i, l]) (iota m))
    in if s > 0 then s else 0)

entry relu_after [n] [m] [k]
                 (xs: [n][m]f32)
                 (w: [m][k]f32)
                 (b: [k]f32) : [n][k]f32 =
  let product =
    map (\x -> map (\col -> f32.sum (map2 (*) x col)) (transpose w)) xs
  in map (\row -> map2 (\s c -> f32.max 0 (s + c)) row b) product

-- ==
-- entry: batch batch_by_index batch_by_function
-- input { [[[1f32, 2f32], [3f32, 4f32]], [[0f32, 1f32], [2f32, 3f32]]] [[[0f32, 1f32], [1f32, 0f32]], [[1f32, 2f32], [3f32, 4f32]]] }
-- output { [[[2.0f32, 1.0f32], [4.0f32, 3.0f32]], [[3.0f32, 4.0f32], [11.0f32, 16.0f32]]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry batch [q] [n] (xs: [q][n][n]f32) (ys: [q][n][n]f32) : [q][n][n]f32 =
  map2 (\x y ->
    map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose y)) x) xs ys

entry batch_by_index [q] [n]
                     (xs: [q][n][n]f32)
                     (ys: [q][n][n]f32) : [q][n][n]f32 =
  tabulate_3d q n n (\t i j ->
    reduce_comm (+) 0 (tabulate n (\k -> xs[t, i, k] * ys[t, k, j])))

def product [n] [m] [k] (xs: [n][m]f32) (ys: [m][k]f32) : [n][k]f32 =
  tabulate_2d n k (\i j -> f32.sum (map2 (*) xs[i] ys[:, j]))

entry batch_by_function
    [q] [n]
    (xs: [q][n][n]f32)
    (ys: [q][n][n]f32) : [q][n][n]f32 =
  map2 product xs ys

-- ==
-- entry: complex complex_apart complex_by_index
-- input { [[1f32, 2f32], [3f32, 4f32]] [[0f32, 1f32], [1f32, 0f32]] }
-- output { [[6.0f32, 10.0f32], [15.0f32, 21.0f32]] [[5.0f32, 5.0f32], [5.0f32, 5.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry complex [n] (re: [n][n]f32) (im: [n][n]f32) : ([n][n]f32, [n][n]f32) =
  let plus (a: f32, b: f32) (c: f32, d: f32) = (a + c, b + d)
  let times (a: f32, b: f32) (c: f32, d: f32) = (a * c - b * d, a * d + b * c)
  let z = map2 zip re im
  in unzip (map unzip
                (map (\r ->
                  map (\col -> reduce plus (0, 0) (map2 times r col))
                      (transpose z)) z))

entry complex_apart [n]
                    (re: [n][n]f32)
                    (im: [n][n]f32) : ([n][n]f32, [n][n]f32) =
  ( tabulate_2d n n (\i j ->
    f32.sum (tabulate n (\k -> re[i, k] * re[k, j] - im[i, k] * im[k, j])))
  , tabulate_2d n n (\i j ->
    f32.sum (tabulate n (\k -> re[i, k] * im[k, j] + im[i, k] * re[k, j])))
  )

entry complex_by_index [n]
                       (re: [n][n]f32)
                       (im: [n][n]f32) : ([n][n]f32, [n][n]f32) =
  let sums i j =
    reduce (\p q -> {re = q.re + p.re, im = q.im + p.im})
           {re = 0, im = 0}
           (map (\k ->
             { re = re[i, k] * re[k, j] - im[i, k] * im[k, j]
             , im = re[i, k] * im[k, j] + im[i, k] * re[k, j]
             }) (iota n))
  let z = tabulate_2d n n sums
  in (map (map (.re)) z, map (map (.im)) z)

-- ==
-- entry: pairs pairs_and_more pairs_by_index pairs_by_loop
-- input { [0f32, 1f32, 3f32] }
-- output { [1.6f32, 1.7f32, 1.3f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry pairs [n] (xs: [n]f32) : [n]f32 =
  map (\x -> f32.sum (map (\y -> 1 / (1 + (x - y) * (x - y))) xs)) xs

entry pairs_and_more [n] (xs: [n]f32) : [n]f32 =
  map (\x -> 1 + f32.sum (map (\y -> 1 / (1 + (x - y) * (x - y))) xs) - 1) xs

entry pairs_by_index [n] (xs: [n]f32) : [n]f32 =
  tabulate n (\i ->
    reduce (+) 0 (tabulate n (\j -> let d = xs[j] - xs[i] in 1 / (d * d + 1))))

entry pairs_by_loop [n] (xs: [n]f32) : [n]f32 =
  map (\x -> loop s = 0 for y in xs do s + 1 / (1 + (x - y) * (x - y))) xs

-- ==
-- entry: nearest nearest_by_index nearest_apart
-- input { [[0f32, 0f32], [5f32, 5f32], [9f32, 1f32]] [[1f32, 1f32], [4f32, 4f32], [8f32, 0f32], [0f32, 1f32]] }
-- output { [3i64, 1i64, 2i64] } structure run { launches 1 waits 1 sent 0 received 0 }
entry nearest [n] [k] [d] (ps: [n][d]f32) (cs: [k][d]f32) : [n]i64 =
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  let dist p c = f32.sum (map2 (\x y -> (x - y) * (x - y)) p c)
  in map (\p ->
    (reduce least (f32.inf, k) (zip (map (dist p) cs) (iota k))).1) ps

entry nearest_by_index [n] [k] [d] (ps: [n][d]f32) (cs: [k][d]f32) : [n]i64 =
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  in tabulate n (\i ->
    let dist j =
      f32.sum (tabulate d (\l -> let e = ps[i, l] - cs[j, l] in e * e))
    let (_, best) =
      reduce_comm least (f32.inf, k) (tabulate k (\j -> (dist j, j)))
    in best)

entry nearest_apart [n] [k] [d] (ps: [n][d]f32) (cs: [k][d]f32) : [n]i64 =
  let dists =
    map (\p -> map (\c -> f32.sum (map2 (\x y -> (x - y) ** 2) p c)) cs) ps
  let least (i: i64, a: f32) (j: i64, b: f32) =
    if b < a || a == b && j < i then (j, b) else (i, a)
  in map (\row -> (reduce least (k, f32.inf) (zip (iota k) row)).0) dists

-- One side of the diagonal, or all but the diagonal.
-- ==
-- entry: below below_by_index
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [[5f32, 0f32, 0f32], [11f32, 25f32, 0f32], [17f32, 39f32, 61f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry below [n] [m] (xs: [n][m]f32) : [n][n]f32 =
  map2 (\i x ->
    map2 (\j y -> if j <= i then f32.sum (map2 (*) x y) else 0)
         (iota n)
         xs) (iota n) xs

entry below_by_index [n] [m] (xs: [n][m]f32) : [n][n]f32 =
  tabulate_2d n n (\i j ->
    if i < j
    then 0
    else f32.sum (tabulate m (\k -> xs[i, k] * xs[j, k])))

-- ==
-- entry: unequal
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] }
-- output { [[1f32, 11f32, 17f32], [11f32, 1f32, 39f32], [17f32, 39f32, 1f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry unequal [n] [m] (xs: [n][m]f32) : [n][n]f32 =
  tabulate_2d n n (\i j -> if i == j then 1 else f32.sum (map2 (*) xs[i] xs[j]))

-- Products in tiles, of which the index of the best is asked for, or a mask depends on indices. Sizes are such that tiles are not full, and
-- what is checked holds for all elements that there are.
-- ==
-- entry: best
-- input { 3i64 } output { 390i64 11i64 }
-- compiled input { 150i64 } output { 1314319i64 1723304i64 }
def numbers (n: i64) : ([n][n]i64, [n][n]i64) =
  ( tabulate_2d n n (\i j -> (i * 7 + j * 13) % 31 + 1)
  , tabulate_2d n n (\i j -> (i * 11 + j * 5) % 29 + 1)
  )

def total [n] [m] (xss: [n][m]i64) : i64 = i64.sum (map i64.sum xss)

entry best (n: i64) : (i64, i64) =
  let (a, b) = numbers n
  let rs =
    opaque (map (\x ->
      map (\j ->
        reduce (\(v, i) (w, k) ->
                  if v > w || (v == w && i < k) then (v, i) else (w, k))
               (i64.lowest, n)
               (map2 (\i v -> (v + b[i, j], i))
                     (iota n)
                     x)) (iota n)) (opaque a))
  in (total (map (map (.0)) rs), total (map (map (.1)) rs))

-- ==
-- entry: quotients
-- input { 3i64 } output { 44i64 }
-- compiled input { 150i64 } output { 6014499i64 }
entry quotients (n: i64) : i64 =
  let (a, b) = numbers n
  in total (opaque (map (\x ->
                           map (\y -> i64.sum (map2 (/) x y))
                               (transpose (opaque b)))
                        (opaque a)))

-- ==
-- entry: weighted
-- input { 3i64 } output { 3569i64 }
-- compiled input { 150i64 } output { 18760766370i64 }
entry weighted (n: i64) : i64 =
  let (a, b) = opaque (numbers n)
  in total (opaque (tabulate_2d n n (\i j ->
    i64.sum (tabulate n (\k ->
      a[i, k] * b[k, j] / (n - j) + i * k)))))

-- Points of which the first and the last are those of a tile, with columns of matrices as factors.
-- ==
-- entry: apart
-- input { 3i64 } output { 12372i64 }
-- compiled input { 70i64 } output { 133517295i64 }
entry apart (n: i64) : i64 =
  let (a, b) = opaque (numbers n)
  let rs =
    opaque (tabulate_3d n 3 n (\i h j ->
      if j <= i
      then i64.sum (map2 (\x y -> x * (y + h)) a[i] b[:, j])
      else h))
  in i64.sum (map total rs)

-- Rows that maps make of others without computing anything: copies, turned or not, repetitions, and rows behind one another.

def row (seed: i64) (n: i64) : [n]i64 = tabulate n (\i -> seed * 1000 + i)

def rows (k: i64) (n: i64) : [k][n]i64 = tabulate k (\i -> row i n)

-- ==
-- entry: turned
-- input { 2i64 3i64 2i64 }
-- output { [[[0i64, 1000i64, 2000i64], [1i64, 1001i64, 2001i64]], [[100000i64, 101000i64, 102000i64], [100001i64, 101001i64, 102001i64]]] }
-- input { 0i64 3i64 2i64 } output { empty([0][2][3]i64) }
-- input { 1i64 2i64 0i64 } output { empty([1][0][2]i64) }
entry turned (k: i64) (n: i64) (m: i64) : [k][m][n]i64 =
  map transpose (tabulate k (\i -> map (map (+ i * 100000)) (rows n m)))

-- ==
-- entry: turned_at_scale
-- input { 3i64 70i64 301i64 } output { true }
-- input { 200i64 17i64 5i64 } output { true }
entry turned_at_scale (k: i64) (n: i64) (m: i64) : bool =
  let all = turned k n m
  let right i j l = all[i, l, j] == i * 100000 + j * 1000 + l
  in and (tabulate k (\i -> and (flatten (tabulate_2d n m (right i)))))

-- ==
-- entry: copied
-- input { 3i64 5i64 } output { [7i64, 1007i64, 2007i64] [[0i64, 1i64, 2i64, 3i64, 4i64], [1000i64, 1001i64, 1002i64, 1003i64, 1004i64], [2000i64, 2001i64, 2002i64, 2003i64, 2004i64]] }
entry copied (k: i64) (n: i64) : ([k]i64, [k][n]i64) =
  let xss = rows k n
  let changed = map (\xs -> (copy xs with [0] = xs[0] + 7)[0]) xss
  in (changed, map copy xss)

-- ==
-- entry: repeated
-- input { 2i64 3i64 2i64 } output { [[0i64, 0i64, 0i64], [1i64, 1i64, 1i64]] [[[0i64, 1i64], [0i64, 1i64], [0i64, 1i64]], [[1000i64, 1001i64], [1000i64, 1001i64], [1000i64, 1001i64]]] }
-- input { 2i64 0i64 1i64 } output { [empty([0]i64), empty([0]i64)] empty([2][0][1]i64) }
entry repeated (k: i64) (n: i64) (m: i64) : ([k][n]i64, [k][n][m]i64) =
  ( map (\i -> replicate n i) (iota k)
  , map (\xs -> replicate n xs) (rows k m)
  )

-- ==
-- entry: behind
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64], [1000i64, 1001i64, 1002i64, 0i64, 1i64, 2i64, 1i64]] }
-- input { 0i64 3i64 } output { empty([0][7]i64) }
-- input { 2i64 0i64 } output { [[0i64], [1i64]] }
entry behind (k: i64) (n: i64) : [k][n + n + 1]i64 =
  let other = row 0 n
  in map2 (\xs i -> xs ++ other ++ [i]) (rows k n) (iota k)

-- ==
-- entry: behind_at_scale
-- input { 3i64 5000i64 } output { true }
-- input { 3000i64 7i64 } output { true }
entry behind_at_scale (k: i64) (n: i64) : bool =
  let all = behind k n
  let right i j =
    all[i, j]
    == (if j < n then i * 1000 + j else if j < 2 * n then j - n else i)
  in and (flatten (tabulate_2d k (2 * n + 1) right))

-- | Rows of rows.
-- ==
-- entry: matrices
-- input { 2i64 1i64 2i64 } output { [[[0i64, 1i64], [0i64, 1i64], [1000i64, 1001i64]], [[5i64, 6i64], [0i64, 1i64], [1000i64, 1001i64]]] }
entry matrices (k: i64) (n: i64) (m: i64) : [k][n + 2][m]i64 =
  let other = rows 2 m
  in map (\xss -> xss ++ other)
         (tabulate k (\i -> map (map (+ i * 5)) (rows n m)))

-- | Rows of rows are turned whole.
-- ==
-- entry: turned_rows
-- input { [[[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]] 2i64 }
-- output { [[[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]] [[[[3, 4], [5, 6]], [[7, 8], [9, 10]], [[11, 12], [13, 14]]]] }
entry turned_rows [n] [a] [b] [c]
                  (xs: [n][a][b][c]i32)
                  (k: i64) : ([n][b][a][c]i32, [n][a][b][c]i32) =
  let next ys = map transpose (map transpose (map (map (map (map (+ 1)))) ys))
  in (map transpose xs, loop ys = copy xs for _i < k do next ys)

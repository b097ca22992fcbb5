-- Reductions of rows whose operators depend on the row, or look at other places of it.
-- ==
-- entry: begins_with
-- input { [1i64, 2i64, 3i64] [10i64, 20i64] } output { [32i64, 34i64, 36i64] }
-- input { empty([0]i64) [10i64] } output { empty([0]i64) }
entry begins_with (xs: []i64) (ys: []i64) : []i64 =
  map (\x -> reduce (+) x ys + x) xs

-- ==
-- entry: neutral_of_row
-- input { [3i64, 7i64, 1i64] 4i64 } output { [9i64, 13i64, 7i64] }
entry neutral_of_row (xs: []i64) (n: i64) : []i64 =
  map (\x -> reduce (\a b -> a + b) x (iota n)) xs

-- ==
-- entry: modulus_of_row
-- input { 200i64 300i64 } output { true }
-- input { 2i64 3000i64 } output { true }
entry modulus_of_row (n: i64) (m: i64) : bool =
  let sums = map (\i -> reduce (\a b -> (a + b) % (i + 2)) 0 (iota m)) (iota n)
  in and (map2 (\s i -> s == (m * (m - 1) / 2) % (i + 2)) sums (iota n))

-- ==
-- entry: by_index
-- input { [[1, 2, 3], [4, 5, 6], [6, 7, 8]] } output { [11, 14, 17] }
entry by_index [n] [m] (xss: [n][m]i32) : [m]i32 =
  reduce_comm (\xs ys ->
    loop zs = replicate m 0 for i < m do
      zs with [i] = xs[i] + ys[i]) (replicate m 0) xss

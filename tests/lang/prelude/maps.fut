-- map over one to five arrays, and functions that tabulate.

-- ==
-- entry: one
-- input { [1, 2, 3] } output { [2, 3, 4] [2, 4, 6] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry one [n] (xs: [n]i32) : (*[n]i32, *[n]i32) =
  (map (+ 1) xs, map1 (* 2) xs)

-- ==
-- entry: several
-- input { [1, 2] [10, 20] [100, 200] [1000, 2000] [10000, 20000] }
-- output { [11, 22] [111, 222] [1111, 2222] [11111, 22222] }
entry several [n]
              (as: [n]i32)
              (bs: [n]i32)
              (cs: [n]i32)
              (ds: [n]i32)
              (es: [n]i32)
    : (*[n]i32, *[n]i32, *[n]i32, *[n]i32) =
  ( map2 (+) as bs
  , map3 (\a b c -> a + b + c) as bs cs
  , map4 (\a b c d -> a + b + c + d) as bs cs ds
  , map5 (\a b c d e -> a + b + c + d + e) as bs cs ds es
  )

-- ==
-- entry: nested
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 4, 6], [8, 10, 12]] [6, 15] }
entry nested [n] [m] (xss: [n][m]i32) : ([n][m]i32, [n]i32) =
  (map (map (* 2)) xss, map i32.sum xss)

-- ==
-- entry: tabulated
-- input { 3i64 2i64 } output { [0i64, 1i64, 4i64] [[0i64, 1i64], [10i64, 11i64], [20i64, 21i64]] }
entry tabulated (n: i64) (m: i64) : (*[n]i64, *[n][m]i64) =
  (tabulate n (\i -> i * i), tabulate_2d n m (\i j -> 10 * i + j))

-- ==
-- entry: tabulated_3d
-- input { 1i64 2i64 3i64 } output { [[[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]]] }
entry tabulated_3d (n: i64) (m: i64) (o: i64) : *[n][m][o]i64 =
  tabulate_3d n m o (\i j k -> 100 * i + 10 * j + k)

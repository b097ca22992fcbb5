-- Keys that are ascending already, or descending.
-- ==
-- entry: of_ascending of_descending
-- compiled input { 60013i64 } output { true }
-- input { 5003i64 } output { true }
-- seldom input { 200003i64 } output { true }

entry of_ascending (n: i64) : bool =
  let xs = tabulate n i32.i64
  in and (map2 (==) (sort xs) xs)

entry of_descending (n: i64) : bool =
  let xs = tabulate n (\i -> i32.i64 (n - i) - 1000)
  in and (map2 (==) (sort xs) (reverse xs))

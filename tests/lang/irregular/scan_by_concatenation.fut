-- The operator of a scan may change the length of a row.
-- ==
-- input { [2i64, 0i64, 3i64] } output { [2i64, 2i64, 5i64] [0i64, 1i64, 0i64, 1i64, 0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }

entry main [n] (lens: [n]i64) : ([n]i64, []i64) =
  let rows = scan (\xs ys -> xs ++ ys) [] (map iota lens)
  in (map length rows, irregular.flatten rows)

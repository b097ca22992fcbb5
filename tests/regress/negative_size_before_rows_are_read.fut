-- A size is checked before anybody computes places with it, also if another kernel could check it on its way.
def rows [n] (is: [n]i64) : [n]([?]i64, [?]i64) =
  map (\i -> (iota i, iota i)) is

-- ==
-- input { [3i64, 0i64, 5i64] } output { [4i64, 1i64, 6i64] [2i64, 0i64, 4i64] }
-- input { [-4000000000000000000i64, 5i64] } error: negative
-- input { [5i64, -1i64] } error: negative
entry main [n] (is: [n]i64) : ([n]i64, [n]i64) =
  unzip (map (\(xs, ys) -> (length (xs ++ [7]), length (filter (> 0) ys))) (rows is))

-- ==
-- input { } output { [1i64, 2i64, 3i64] }

entry main : [3]i64 =
  let f = \x -> x + 1
  in map (\i -> f i) (iota 3)

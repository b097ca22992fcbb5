-- ==
-- input { } output { 120i64 }

entry main : i64 =
  let funcs = map (\i -> \n -> n * i) (iota 10)
  let f = funcs[5]
  in f 24

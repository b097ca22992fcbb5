def f (n: i64) : i64 =
  let g (i: i64) : i64 = if i == 0 then 0 else g (i - 1)
  in g n

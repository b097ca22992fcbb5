def f (n: i64) =
  let g (n: i64) = n * 2
  in g n + n

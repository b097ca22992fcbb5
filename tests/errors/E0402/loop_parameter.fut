def f (n: i64) =
  loop (k, xs: [k]i32) = (n, replicate n 0) while k < 10 do (k + 1, xs)

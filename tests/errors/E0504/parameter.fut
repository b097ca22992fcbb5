def f (n: i64) =
  loop (xs: *[]i64, ys: *[]i64) = (iota n, iota n) for _i < 3i32 do (ys, ys)

def f (n: i64) =
  loop (xs: *[]i64, ys: *[]i64) = (iota n, iota n) for i < n do
    let ys[0] = xs[i]
    in (ys, ys)

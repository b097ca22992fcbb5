def main [n] (xs: *[n]i32) : *[n]i32 =
  let f (i: i64) = xs[i]
  in loop ys = xs for i < n do ys with [i] = f i

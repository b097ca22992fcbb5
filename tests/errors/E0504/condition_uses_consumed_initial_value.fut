def main (xs: *[]i32) : *[]i32 =
  let (ys, _) =
    loop (ys, i) = (xs, 0i64) while xs[i] > 0 do
      (ys with [i] = 0, i + 1)
  in ys

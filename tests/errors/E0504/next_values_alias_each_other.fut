def main (n: i64) : ([]i32, []i32) =
  loop (xs: *[]i32, ys: *[]i32) = (replicate n 0, replicate n 0)
  for _i < 10 do
    let xs[0] = ys[0]
    in (xs, xs)

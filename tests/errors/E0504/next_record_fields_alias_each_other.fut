def main (n: i64) =
  loop {xs = xs: *[n]i32, ys = ys: *[n]i32} = {xs = replicate n 0, ys = replicate n 0}
  for _i < 10 do
    let xs[0] = ys[0]
    in {xs = xs, ys = xs}

def main (xs: *[]i32) : i32 =
  let f =
    let ys = xs with [0] = 1
    in \(i: i64) -> ys[i]
  in f 0 + xs[1]

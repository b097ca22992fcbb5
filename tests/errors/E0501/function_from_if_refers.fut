def main (b: bool) (xs: *[]i32) (ys: *[]i32) : i32 =
  let f = if b then \(i: i64) -> xs[i] else \(i: i64) -> ys[i]
  let ys[0] = 1
  in f 0 + ys[0]

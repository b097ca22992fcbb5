def main (xs: *[]i32) : i32 =
  let r = {get = \(i: i64) -> xs[i], n = 1}
  let xs[0] = 1
  in r.get 0 + xs[0]

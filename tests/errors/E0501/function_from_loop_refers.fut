def main (n: i64) (xs: *[]i32) : i32 =
  let f = loop f = \(_: i64) -> 0 for _i < n do \(i: i64) -> xs[i] + f i
  let xs[0] = 1
  in f 0 + xs[0]

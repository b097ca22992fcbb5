def main (xs: *[]i32) : i32 =
  let t = (1, xs)
  let xs[0] = 1
  in t.1[0] + xs[0]

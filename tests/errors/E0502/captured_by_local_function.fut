def main (xs: *[]i32) : i32 =
  let f (x: i32) = let xs[0] = x in xs[0]
  in f 1

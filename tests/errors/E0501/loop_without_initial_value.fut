def main (xs: *[]i32) : i32 =
  let ys = loop xs for i < 3 do xs with [i] = 1
  in xs[0] + ys[0]

def main (xs: []i32) : []i32 =
  let ys = xs
  let ys[0] = 1
  in ys

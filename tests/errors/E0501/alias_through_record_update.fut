def main (xs: []i32) (ys: *[]i32) : (([]i32, []i32), []i32) =
  let t = (xs, ys) with 0 = xs
  let ys[0] = 0
  in (t, ys)

def main (xs: []i32) : []i32 =
  let f = \(ys: []i32) : *[]i32 -> ys
  in f xs

def main (xs: []i32) : []i32 =
  let xs = xs
  in xs with [0] = 1

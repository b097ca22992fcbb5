-- As with other functions, a result type that is written without a star promises nothing.
def main (xs: []i32) : []i32 =
  let f = \(ys: []i32) : []i32 -> copy ys
  in (f xs) with [0] = 1

-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 2, 3] }

def main (xs: []i32) : ([]i32, *[]i32) =
  let f = \(ys: []i32) -> copy ys
  let zs = f xs
  in (xs, zs with [0] = 9)

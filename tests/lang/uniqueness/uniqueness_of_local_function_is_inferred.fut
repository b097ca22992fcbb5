-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 3, 4] }

def main (xs: []i32) : ([]i32, *[]i32) =
  let incremented (ys: []i32) = map (+ 1) ys
  let zs = incremented xs
  in (xs, zs with [0] = 9)

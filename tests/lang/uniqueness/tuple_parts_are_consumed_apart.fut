-- ==
-- input { [1, 2] [3, 4] } output { [9, 2] [3, 9] }

def main (as: *[]i32) (bs: *[]i32) : (*[]i32, *[]i32) =
  let (xs, ys) = (as, bs)
  let xs[0] = 9
  let ys[1] = 9
  in (xs, ys)

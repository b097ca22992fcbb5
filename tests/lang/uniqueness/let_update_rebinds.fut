-- After a local update the name stands for the new array, which may be updated again.
-- ==
-- input { [1, 2, 3] } output { [7, 8, 3] }

def main (xs: *[]i32) : *[]i32 =
  let xs[0] = 7
  let xs[1] = 8
  in xs

-- A result declared unique aliases no argument.
-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 2, 3] }

def doubled_back (xs: []i32) : *[]i32 = map (\x -> x) xs

def main (xs: []i32) : ([]i32, *[]i32) =
  let ys = doubled_back xs
  in (xs, ys with [0] = 9)

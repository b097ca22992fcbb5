-- Nothing was declared about the result, but it is fresh.
-- ==
-- input { [1, 2, 3] } output { [9, 3, 4] }

def incremented xs = map (+ 1i32) xs

def main (xs: []i32) : *[]i32 =
  let ys = incremented xs
  in ys with [0] = 9

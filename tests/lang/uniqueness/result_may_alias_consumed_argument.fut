-- The result of a function aliases its argument; consuming it consumes the argument, which is
-- allowed here.
-- ==
-- input { [1, 2, 3] } output { [9, 2, 3] }

def same (xs: []i32) : []i32 = xs

def main (xs: *[]i32) : *[]i32 =
  let ys = same xs
  in ys with [0] = 9

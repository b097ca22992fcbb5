-- Only one branch is taken, so each may consume the same array.
-- ==
-- input { true [1, 2] } output { [9, 2] }
-- input { false [1, 2] } output { [1, 9] }

def main (b: bool) (xs: *[]i32) : *[]i32 =
  if b then xs with [0] = 9 else xs with [1] = 9

-- ==
-- input { [5, 1, 1] } output { [0, 1, 1] }

def main (xs: *[]i32) : *[]i32 =
  loop xs while xs[0] > 0 do
    xs with [0] = xs[0] - 1

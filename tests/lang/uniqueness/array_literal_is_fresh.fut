-- An array literal copies its elements.
-- ==
-- input { [1, 2] } output { [9, 2] [[1, 2], [1, 2]] }

def main (xs: *[2]i32) : (*[2]i32, [2][2]i32) =
  let yss = [xs, xs]
  let xs[0] = 9
  in (xs, yss)

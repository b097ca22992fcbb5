-- A number read from an array does not alias it.
-- ==
-- input { [1, 2, 3] } output { 1 [0, 2, 3] }

def main (xs: *[]i32) : (i32, *[]i32) =
  let x = xs[0]
  let xs[0] = 0
  in (x, xs)

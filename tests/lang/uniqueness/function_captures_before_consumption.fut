-- A local function whose captured array is consumed may exist, if it is not called after that.
-- ==
-- input { [1, 2, 3] } output { 2 [9, 2, 3] }

def main (xs: *[]i32) : (i32, *[]i32) =
  let second () = xs[1]
  let x = second ()
  let xs[0] = 9
  in (x, xs)

-- What was computed from an array before it is consumed stays.
-- ==
-- input { [1, 2, 3] } output { 6 [0, 2, 3] }

def main (xs: *[]i32) : (i32, *[]i32) =
  let total = reduce (+) 0 xs
  in (total, xs with [0] = 0)

-- The second argument is evaluated before the first consumes the array.
-- ==
-- input { [1, 2, 3] } output { [9, 2, 3] 1 }

def pair (xs: *[]i32) (x: i32) : (*[]i32, i32) = (xs with [0] = 9, x)

def main (xs: *[]i32) : (*[]i32, i32) = pair xs xs[0]

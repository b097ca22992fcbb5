-- ==
-- input { [1, 2, 3] } output { [1, 2, 9] }

def set_last [n] (xs: *[n]i32) : *[n]i32 = xs with [n - 1] = 9

def main (xs: *[]i32) : *[]i32 = set_last xs

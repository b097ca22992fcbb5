-- A unique parameter may be updated in place, and is the unique result afterwards.
-- ==
-- input { [1, 2, 3] 1i64 9 } output { [1, 9, 3] }

def main (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x

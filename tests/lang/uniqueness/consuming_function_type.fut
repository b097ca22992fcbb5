-- A function that consumes can be passed where the type says so.
-- ==
-- input { [1, 2, 3] } output { [9, 2, 3] }

def apply (f: *[]i32 -> *[]i32) (xs: *[]i32) : *[]i32 = f xs

def set (xs: *[]i32) : *[]i32 = xs with [0] = 9

def main (xs: *[]i32) : *[]i32 = apply set xs

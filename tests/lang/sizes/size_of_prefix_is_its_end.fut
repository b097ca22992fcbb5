-- ==
-- input { [1, 2, 3, 4] } output { [1, 2] }

def first_two [n] (xs: [n]i32) : [2]i32 = xs[:2]

def main (xs: []i32) : []i32 = first_two xs

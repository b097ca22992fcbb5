-- ==
-- input { [1, 2, 3] } output { [9, 8, 7] }

def main (xs: []i32) : []i32 = map (10 -) xs

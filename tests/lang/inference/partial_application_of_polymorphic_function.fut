-- ==
-- input { [1, 2, 3] } output { [5, 5, 5] }

def const 'a 'b (x: a) (_: b) : a = x

def main (xs: []i32) : []i32 = map (const 5) xs

-- ==
-- input { [1, 2] [3, 4] } output { 11 }

def dot (xs: []i32) (ys: []i32) : i32 = i32.sum (map2 (*) xs ys)

def main [n] (xs: [n]i32) (ys: [n]i32) : i32 = dot xs ys

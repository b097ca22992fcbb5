-- ==
-- input { [1] [2, 3] } output { [1, 2, 3] }

def join [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 = xs ++ ys

def main (xs: []i32) (ys: []i32) : []i32 = join xs ys

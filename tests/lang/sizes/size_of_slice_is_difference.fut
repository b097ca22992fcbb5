-- ==
-- input { [1, 2, 3, 4] } output { [2, 3] }

def middle [n] (xs: [n]i32) : [n - 1 - 1]i32 = xs[1:n - 1]

def main (xs: []i32) : []i32 = middle xs

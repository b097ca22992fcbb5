-- ==
-- input { [[1, 2], [3, 4]] } output { [1, 2, 3, 4] }

def flat [n] [m] (xss: [n][m]i32) : [n * m]i32 = flatten xss

def main (xss: [][]i32) : []i32 = flat xss

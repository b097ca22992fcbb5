-- ==
-- input { [[1, 2], [3, 4]] } output { [[3, 4], [1, 2]] }

def swap 'a (x: a) (y: a) : [2]a = [y, x]

def main [n] (xss: [2][n]i32) : [2][n]i32 = swap xss[0] xss[1]

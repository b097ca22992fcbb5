-- ==
-- input { 7 } output { 7 7 }

def pair 'x (x: x) : (x, x) = (x, x)

def main (x: i32) : (i32, i32) = pair x

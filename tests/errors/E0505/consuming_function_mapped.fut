def set (xs: *[2]i32) : *[2]i32 = xs with [0] = 1

def main (xss: *[][2]i32) : [][2]i32 = map set xss

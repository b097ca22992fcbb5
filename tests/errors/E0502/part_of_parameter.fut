def main ((xs, n): ([]i32, i32)) : []i32 = xs with [0] = n

def set (xs: *[]i32) : *[]i32 = xs with [0] = 1

def main (xs: []i32) : []i32 = set xs

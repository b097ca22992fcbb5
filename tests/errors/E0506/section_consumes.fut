def (<+) (xs: *[]i32) (x: i32) : i32 = (xs with [0] = x)[0]

def main (xs: *[]i32) : []i32 = map (xs <+) [1, 2]

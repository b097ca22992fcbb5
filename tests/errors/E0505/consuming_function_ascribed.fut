def total (xs: *[]i32) : i32 = reduce (+) 0 xs

def observe : []i32 -> i32 = total

def main (xs: []i32) : i32 = observe xs

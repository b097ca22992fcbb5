-- SAFE-APPLY: a call consumes the argument for a unique parameter.
def total (xs: *[]i32) : i32 = reduce (+) 0 xs

def main (xs: *[]i32) : i32 = total xs + xs[0]

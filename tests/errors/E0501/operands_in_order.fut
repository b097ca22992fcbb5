-- Operands are evaluated from left to right.
def total (xs: *[]i32) : i32 = reduce (+) 0 xs

def main (xs: *[]i32) : i32 = total xs + reduce (+) 0 xs

-- All functions of an array have one type.
def total (xs: *[]i32) : i32 = reduce (+) 0 xs

def first (xs: []i32) : i32 = xs[0]

def main (xs: []i32) : i32 =
  let fs : []([]i32 -> i32) = [first, total]
  in fs[1] xs

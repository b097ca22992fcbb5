-- Nothing can be consumed twice.
def total (xs: *[]i32) : i32 = reduce (+) 0 xs

def main (xs: *[]i32) : i32 =
  let a = total xs
  let b = total xs
  in a + b

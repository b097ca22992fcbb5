-- Two variables of one name are told apart.
def set (xs: *[]i32) : *[]i32 = xs with [0] = 1

def main (xs: *[]i32) : ([]i32, []i32) =
  let xs = (xs, set xs)
  in xs

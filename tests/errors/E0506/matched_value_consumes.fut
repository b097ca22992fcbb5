def set (xs: *[]i32) (i: i64) : *[]i32 = xs with [i] = 1
def main (xs: *[]i32) : ([]i32, []i32) =
  match (set xs, 0)
  case (f, i) -> (f i, f 1)

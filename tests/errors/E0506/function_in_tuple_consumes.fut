def set (xs: *[]i32) (i: i64) : *[]i32 = xs with [i] = 1

def main (xs: *[]i32) : []i32 =
  let (f, i) = (set xs, 0)
  in f i

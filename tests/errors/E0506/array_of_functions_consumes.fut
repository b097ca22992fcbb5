def set (xs: *[]i32) (i: i64) : *[]i32 = xs with [i] = 1

def main (xs: *[]i32) : []i32 =
  let fs = [set xs]
  in fs[0] 0

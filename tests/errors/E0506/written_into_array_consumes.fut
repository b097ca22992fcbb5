def set (xs: *[]i32) (i: i64) : i32 = (xs with [i] = 1)[0]

def main (xs: *[]i32) : i32 =
  let fs = replicate 2 (\(_: i64) -> 0)
  let fs[0] = set xs
  in fs[0] 0 + fs[0] 1

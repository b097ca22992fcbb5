def set (xs: *[]i64) (i: i64) : i64 = (xs with [i] = 0)[0]

def main (n: i64) : []i64 =
  let xs = iota n
  in map (set xs) (iota n)

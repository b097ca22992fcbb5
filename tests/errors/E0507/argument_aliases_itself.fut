def set (t: *([]i64, []i64)) : i64 = t.0[0] + t.1[0]

def main (n: i64) : i64 =
  let xs = iota n
  in set (xs, xs)

def f (p: *([]i64, []i64)) = p.0 with [0] = 1

def g (n: i64) =
  let xs = iota n
  in f (xs, xs)

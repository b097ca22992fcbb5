-- SAFE-LOOP: the next iteration would find it consumed.
def main (n: i64) (xs: *[]i64) : []i64 =
  loop ys = iota n for i < n do
    let xs[i] = i
    in ys with [i] = xs[0]

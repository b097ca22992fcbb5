-- SAFE-UPDATE, OCCURRENCE-SEQ: the source of an update is gone.
def main (xs: *[]i32) : ([]i32, []i32) =
  let ys = xs with [0] = 1
  in (xs, ys)

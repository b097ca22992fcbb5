-- ys is out of scope, but as and bs still share its memory.
def main (n: i64) : ([]i64, []i64) =
  let (as, bs) =
    let ys = iota n
    in (ys, ys)
  let as[0] = 0
  in (as, bs)

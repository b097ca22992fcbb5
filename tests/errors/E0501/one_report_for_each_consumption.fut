-- xs is used three times after it was consumed: one mistake, one message. That of ys is another.
def main (xs: *[]i32) (ys: *[]i32) : i32 =
  let as = xs with [0] = 1
  let bs = ys with [0] = 1
  in as[0] + bs[0] + xs[0] + xs[1] + xs[2] + ys[0]

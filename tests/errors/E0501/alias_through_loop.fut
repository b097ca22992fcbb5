-- ALIAS-DOLOOP: a loop that consumes nothing may return its initial value.
def main (n: i64) (xs: *[]i32) : i32 =
  let ys = loop ys = xs for _i < n do ys
  let ys[0] = 1
  in xs[0] + ys[0]

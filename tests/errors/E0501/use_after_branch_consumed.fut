-- ALIAS-IF: what either branch consumes is consumed.
def main (b: bool) (xs: *[]i32) : i32 =
  let ys = if b then xs with [0] = 1 else [0]
  in ys[0] + xs[0]

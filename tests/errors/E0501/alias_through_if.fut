-- The value of an if aliases the values of both branches.
def main (b: bool) (xs: *[]i32) (ys: *[]i32) : i32 =
  let zs = if b then xs else ys
  let zs[0] = 1
  in ys[0] + zs[0]

-- A field that was assigned aliases the value assigned to it.
def main (r: {xs: []i32, n: i32}) (ys: *[]i32) : ([]i32, []i32) =
  let r.xs = ys
  let ys[0] = 0
  in (r.xs, ys)

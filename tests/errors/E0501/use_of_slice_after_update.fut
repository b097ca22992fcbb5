-- ALIAS-SLICEARRAY: a slice shares memory with its array.
def main (xss: *[][2]i32) : ([2]i32, [][2]i32) =
  let xs = xss[0]
  let xss[1] = [0, 0]
  in (xs, xss)

def main [n] (xss: *[n][n]i32) : [n][n]i32 =
  let row = xss[1]
  let xss[0] = row
  in xss

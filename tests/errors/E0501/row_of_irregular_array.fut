def f [n] (xss: *[n][?]i64) : i64 =
  let row = xss[0]
  let ys = xss with [1, 0] = 3
  in i64.sum row + ys[0, 0]

def replace [n] (xss: *[n][?]i64) (yss: [2][?]i64) : *[n][?]i64 =
  xss with [0:2] = yss

def replace_part [n] (xss: *[n][?]i64) (i: i64) : *[n][?]i64 =
  xss with [i, 0:2] = [1, 2]

def increment [n] (xss: *[n][?]i64) : *[n][?]i64 =
  loop xss for i < n do
    let row = map (+ 1) xss[i]
    in xss with [i] = row

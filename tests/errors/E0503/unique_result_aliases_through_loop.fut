def second [m] (_xs: [m]i32) (ys: [m]i32) : [m]i32 = ys

def main [n] [m] (chunk: [n][m]i32) : *[m]i32 =
  loop acc = replicate m 0 for i < n do second acc chunk[i]

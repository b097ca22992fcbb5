def set_first (xs: []i32) : []i32 =
  let ys = copy xs
  let ys[0] = xs[1]
  in ys

def scattered [n] (is: [n]i64) (xs: [n]f32) : [100]f32 =
  scatter (replicate 100 0) is xs

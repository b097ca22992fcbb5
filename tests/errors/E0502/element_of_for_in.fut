def main (xss: *[][2]i32) : [2]i32 =
  loop acc = [0, 0] for xs in xss do
    let ys = xs with [0] = 1
    in map2 (+) acc ys

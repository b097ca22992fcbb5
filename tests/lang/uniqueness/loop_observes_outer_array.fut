-- ==
-- input { [1, 2, 3] } output { [0, 3, 5] }

def main [n] (xs: [n]i32) : *[n]i32 =
  loop acc = replicate n 0 for i in 1..<n do
    acc with [i] = xs[i] + xs[i - 1]

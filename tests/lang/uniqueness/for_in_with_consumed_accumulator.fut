-- ==
-- input { [0i64, 2i64, 2i64] } output { [1, 0, 2] }

def main [n] (is: [n]i64) : *[n]i32 =
  loop acc = replicate n 0 for i in is do
    acc with [i] = acc[i] + 1

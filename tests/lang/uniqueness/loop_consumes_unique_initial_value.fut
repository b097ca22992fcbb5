-- ==
-- input { [1, 2, 3] } output { [2, 3, 4] }

def main [n] (xs: *[n]i32) : *[n]i32 =
  loop xs for i < n do
    xs with [i] = xs[i] + 1

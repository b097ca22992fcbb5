-- ==
-- input { [1, 2] } output { [11, 12] }

def main [n] (xs: [n]i32) : [n]i32 =
  loop ys = xs for _i < 10i32 do map (+ 1) ys

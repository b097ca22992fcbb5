-- ==
-- input { true [1, 2, 3] } output { 3i64 }
-- input { false [1, 2, 3] } output { 1i64 }

def main [n] (b: bool) (xs: [n]i32) : i64 =
  let ys = if b then xs else [0]
  in length ys

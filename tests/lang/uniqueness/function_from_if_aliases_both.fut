-- ==
-- input { true [1, 2] [3, 4] } output { 1 }
-- input { false [1, 2] [3, 4] } output { 3 }

def main (b: bool) (xs: []i32) (ys: []i32) : i32 =
  let f = if b then \(i: i64) -> xs[i] else \(i: i64) -> ys[i]
  in f 0

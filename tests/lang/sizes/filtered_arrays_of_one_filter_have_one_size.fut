-- ==
-- input { [3, -1, 4] } output { [6, 8] }

def main (xs: []i32) : []i32 =
  let ys = filter (> 0) xs
  in map2 (+) ys ys

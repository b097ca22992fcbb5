-- ==
-- input { [3, -1, 4] } output { 14 }

def positives [n] (xs: [n]i32) : ?[k].([k]i32, [k]i32) =
  let ys = filter (> 0) xs
  in (ys, map (* 1) ys)

def main (xs: []i32) : i32 =
  let (a, b) = positives xs
  in i32.sum (map2 (+) a b)

-- ==
-- input { [1, -1, 2] } output { 2i64 [0i64, 1i64] }

def main (xs: []i32) : (i64, []i64) =
  let [k] (ys: [k]i32) = filter (> 0) xs
  in (length ys, iota k)

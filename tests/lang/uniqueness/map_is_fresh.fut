-- The result of map aliases nothing, whatever its function returns.
-- ==
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] [[5, 6], [3, 4]] }

def main (xss: [][2]i32) : ([][2]i32, [][2]i32) =
  let yss = map (\xs -> xs) xss
  in (xss, yss with [0] = [5, 6])

-- ==
-- input { [1, 2] } output { [1, 2, 1, 2] }

def main [n] (xs: [n]i32) : []i32 =
  let m = n + n
  let ys: [m]i32 = (xs ++ xs) :> [m]i32
  in ys

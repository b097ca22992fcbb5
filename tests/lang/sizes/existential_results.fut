def positive [n] (xs: [n]i32) : ?[k].[k]i32 = filter (> 0) xs

def count [n] (xs: [n]i32) : i64 = length (positive xs)

def both [n] (xs: [n]i32) : ?[k].([k]i32, [k]bool) =
  let ys = positive xs
  in (ys, map (> 10) ys)

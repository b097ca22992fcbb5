def append_zero [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [0]

def pairs [n] (xs: [2 * n]i32) : [n](i32, i32) =
  map (\i -> (xs[2 * i], xs[2 * i + 1])) (iota n)

def grow (n: i64) : [n + 1]i64 = iota (n + 1)

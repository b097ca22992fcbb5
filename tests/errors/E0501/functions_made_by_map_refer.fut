-- The array that map makes is new, the functions in it refer to xs.
def main [n] (xs: *[n]i32) : i32 =
  let fs = map (\i -> \(y: i32) -> xs[i] + y) (iota n)
  let xs[0] = 1
  in fs[0] 0 + xs[0]

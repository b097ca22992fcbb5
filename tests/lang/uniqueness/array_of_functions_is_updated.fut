-- Replacing a function in an array leaves alone what the functions refer to.
-- ==
-- input { [10, 20] } output { [1, 20] [10, 20] }

def main (xs: []i32) : ([2]i32, []i32) =
  let fs = [\(i: i64) -> xs[i], \(i: i64) -> xs[i]]
  let fs[0] = \(_: i64) -> 1
  in ([fs[0] 0, fs[1] 1], xs)

-- Replacing a field of a record consumes nothing.
-- ==
-- input { [1, 2] [3, 4] } output { [1, 2] [3, 4] [9, 4] }

def main (as: [2]i32) (bs: [2]i32) : ([2]i32, [2]i32, [2]i32) =
  let r = {xs = as, n = 1}
  let s = r with xs = bs
  in (r.xs, s.xs, copy s.xs with [0] = 9)

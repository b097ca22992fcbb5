-- Updating an array of functions consumes the array, not what they refer to.
-- ==
-- input { 3 } output { 7 }

def main (x: i32) : i32 =
  let fs = replicate 2 (\(y: i32) -> y)
  let fs = fs with [0] = (+ 1)
  in fs[0] x + fs[1] x

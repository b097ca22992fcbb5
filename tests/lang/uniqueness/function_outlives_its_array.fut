-- A function that was taken out of an array has no part in its memory.
-- ==
-- input { 3 } output { 10 }

def main (x: i32) : i32 =
  let fs = replicate 2 (\(y: i32) -> y)
  let fs = scatter fs [0] [(+ 1)]
  let f = fs[1]
  let fs[1] = \y -> f (f y)
  in fs[0] x + fs[1] x + f x

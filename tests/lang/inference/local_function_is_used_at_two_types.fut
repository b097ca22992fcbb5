-- ==
-- input { 3 true } output { 3 3 true true }

def main (x: i32) (b: bool) : (i32, i32, bool, bool) =
  let twice 'a (y: a) = (y, y)
  let (p, q) = twice x
  let (r, s) = twice b
  in (p, q, r, s)

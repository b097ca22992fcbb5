-- ==
-- input { 3 true } output { true 3 }

def main (x: i32) (b: bool) : (bool, i32) =
  let p = {0 = x, 1 = b}
  let q: (i32, bool) = p
  in (q.1, q.0)

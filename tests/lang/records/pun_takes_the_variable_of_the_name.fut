-- ==
-- input { 3 4 } output { 3 4 }

def main (x: i32) (y: i32) : (i32, i32) =
  let r = {x, y}
  in (r.x, r.y)

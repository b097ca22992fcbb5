-- ==
-- input { 3 4 } output { 7 }

type point = {x: i32, y: i32}

def main (x: i32) (y: i32) : i32 =
  let sum = \(p: point) -> p.x + p.y
  let at p = sum p
  in at {x, y}

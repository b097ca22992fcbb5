type shape = #circle f32 | #box {w: f32, h: f32} | #point

def area (s: shape) : f32 =
  match s
  case #circle r -> f32.pi * r * r
  case #box {w, h} -> w * h
  case #point -> 0

def name (x: i32) (b: bool) : i32 =
  match (x, b)
  case (0, true) -> 1
  case (1, _) -> 2
  case (-1, false) -> 3
  case (_, b) -> if b then 4 else 5

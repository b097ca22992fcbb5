type shape = #circle f32 | #box {w: f32, h: f32} | #point

def area (s: shape) : f32 =
  match s
  case #circle r -> f32.pi * r * r
  case #box {w, h} -> w * h
  case #point -> 0

-- ==
-- entry: name
-- input { 0 true } output { 1 }
-- input { 1 true } output { 2 }
-- input { 1 false } output { 2 }
-- input { -1 false } output { 3 }
-- input { -1 true } output { 4 }
-- input { 7 true } output { 4 }
-- input { 0 false } output { 5 }
entry name (x: i32) (b: bool) : i32 =
  match (x, b)
  case (0, true) -> 1
  case (1, _) -> 2
  case (-1, false) -> 3
  case (_, b) -> if b then 4 else 5

-- ==
-- entry: areas
-- input { 1f32 2f32 3f32 } output { [3.1415927f32, 6f32, 0f32] }
entry areas (r: f32) (w: f32) (h: f32) : [3]f32 =
  map area [#circle r, #box {w, h}, #point]

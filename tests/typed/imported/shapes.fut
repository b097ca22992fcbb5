type shape = #circle f32 | #square f32

def area (s: shape) : f32 =
  match s
  case #circle r -> f32.pi * r * r
  case #square a -> a * a

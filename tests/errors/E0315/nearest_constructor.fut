type shape = #circle f64 | #square f64

def area (s: shape): f64 =
  match s
  case #circel r -> f64.pi * r * r
  case #square a -> a * a

def unit: shape = #sqare 1

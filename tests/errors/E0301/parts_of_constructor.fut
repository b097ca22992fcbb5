type shape = #circle f64 | #rectangle f64 f64

def area (s: shape): f64 =
  match s
  case #circle r -> r * r
  case #rectangle a -> a

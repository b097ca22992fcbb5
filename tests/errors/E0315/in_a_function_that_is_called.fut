type shape = #circle f64 | #square f64

def area (s: shape) =
  match s
  case #circle r -> f64.pi * r * r
  case #sqare a -> a * a

def unit = area (#circle 1)

def both (r: f64) = #square r |> area

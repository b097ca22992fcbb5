module shapes = {
  type square = {side: f64}
}

def area (s: shape.square) = s.side * s.side

def area (side: f64) : f64 = side * side

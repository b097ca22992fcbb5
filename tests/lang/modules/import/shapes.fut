def area (side: f32) : f32 = side * side

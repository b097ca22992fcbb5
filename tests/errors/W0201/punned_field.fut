def width ({x, y}: {x: i32, y: i32}) = x

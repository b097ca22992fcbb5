def f (p: *{x: i32, y: i32}): i32 = p.x + p.y

def f (p: ([?]i32, i32)) = p.1

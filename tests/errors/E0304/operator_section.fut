def f (x: i32) = (+ 1) x 2

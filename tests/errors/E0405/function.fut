def f [n] (x: i32) = x

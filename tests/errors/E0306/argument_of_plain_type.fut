def f (x: bool i32) = x

def f r = r with x = 1i32

def helped (x: i32) = x

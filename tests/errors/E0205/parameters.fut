def add (x: i32) (x: i32) = x

let twice (x: i32) = 2 * x

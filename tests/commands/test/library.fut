def double (x: i32) = 2 * x

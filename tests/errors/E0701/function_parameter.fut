entry f (g: i32 -> i32) : i32 = g 3

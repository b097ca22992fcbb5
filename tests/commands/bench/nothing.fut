-- A program without inputs.

entry main (x: i32) : i32 = x

entry main (x: i32) : f32 = (f32) x / 2

def f (x: f32) = x << 2

def at (xs: []i32) (i: f32) = xs[i]

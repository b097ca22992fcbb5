def f [n] (fs: [n](i32 -> [?]f32)) = fs

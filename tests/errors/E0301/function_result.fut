def f (xs: []i32) : []f32 = map (\x -> x + 1) xs

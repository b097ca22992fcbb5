def f (xs: []i32) = foldl (\acc ys -> map2 (+) acc ys) [] [filter (> 0) xs]

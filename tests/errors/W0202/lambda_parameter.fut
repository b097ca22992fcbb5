def f (x: i32) (ys: []i32) = map (\x -> x + 1) (map (+ x) ys)

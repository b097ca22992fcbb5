def f = \(n: i64) -> length (map (\(xs: [0][]i32) -> xs) (replicate n []))

def f (n: i64) = transpose (map (\i -> iota i) (iota n))

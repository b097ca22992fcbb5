def f (n: i64): [n][n]i64 = map (\i -> iota i) (iota n)

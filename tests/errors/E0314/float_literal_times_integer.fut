def f (n: i64) = n * 1.5

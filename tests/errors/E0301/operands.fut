def f (n: i64) (x: f64) = x * n

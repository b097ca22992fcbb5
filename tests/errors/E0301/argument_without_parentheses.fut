def f (n: i64): f64 = f64.sqrt f64.i64 n

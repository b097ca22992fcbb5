def f (x: f64) = f64.sqroot x

def f (x: f64) = math.sqrt x

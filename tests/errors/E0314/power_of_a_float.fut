def square (x: f64) = x ^ 2

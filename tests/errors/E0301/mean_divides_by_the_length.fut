def mean [n] (xs: [n]f64): f64 = f64.sum xs / length xs

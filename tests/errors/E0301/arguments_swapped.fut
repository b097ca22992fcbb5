def roots (xs: []f64) = map xs f64.sqrt

def first (t: (i64, f64)) = t[0]

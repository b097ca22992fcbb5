type pair = (point, point)
type point = (f64, f64)

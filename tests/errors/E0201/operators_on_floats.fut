entry main (x: f64) (y: f64) : f64 = x *. y +. 1.0

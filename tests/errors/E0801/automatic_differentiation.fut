def square (x: f64) : f64 = x * x

def slope (x: f64) : f64 = jvp square x 1

entry main (xs: []f64) : []f64 = map slope xs

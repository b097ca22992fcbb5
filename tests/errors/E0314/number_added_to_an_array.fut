def f [n] (xs: [n]f64): [n]f64 = xs + 1
def g [n] (xs: [n]f64): [n]f64 = 1 - xs
def h [n] (xs: [n]f64): [n]f64 = xs - 1
def k [n] [m] (xss: [n][m]f64): [n][m]f64 = xss * 2

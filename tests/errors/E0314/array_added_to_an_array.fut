def f [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = xs + ys
def g [n] [m] (xss: [n][m]f64) (yss: [n][m]f64): [n][m]f64 = xss * yss

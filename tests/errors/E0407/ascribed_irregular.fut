-- Nothing becomes irregular by itself; a coercion says so.
def f [n] [m] (xss: [n][m]i64) : [n][?]i64 = xss

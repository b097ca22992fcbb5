def f [n] [m] (xss: [n][?]i64) (yss: [n][m]i64) : bool = xss == yss

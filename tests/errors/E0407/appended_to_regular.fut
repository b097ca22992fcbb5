def f [n] [m] [k] (xss: [n][?]i64) (yss: [m][k]i64) = xss ++ yss

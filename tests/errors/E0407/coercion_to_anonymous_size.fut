def f [n] (xss: [n][?]i64) = xss :> [n][]i64

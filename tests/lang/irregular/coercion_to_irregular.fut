def rows [n] [m] (xss: [n][m]i64) : [n][?]i64 = xss :> [n][?]i64

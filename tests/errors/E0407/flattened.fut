def f [n] (xss: [n][?]i64) = flatten xss

def count [n] [m] (_: [n][m]i64) : i64 = n * m

def f [n] (xss: [n][?]i64) : i64 = count xss

def round_trip [n] (xss: [n][?]i32): [n][?]i32 = segment (lengths xss) (irregular.flatten xss)

def square (n: i64): [n][n]i64 = irregular.regular n (map (\_ -> iota n) (iota n))

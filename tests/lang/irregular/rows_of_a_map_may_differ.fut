def triangle (n: i64) : [n][?]i64 = map (\i -> iota i) (iota n)

def sums (n: i64) : [n]i64 = map i64.sum (triangle n)

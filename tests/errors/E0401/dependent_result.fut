def ids (n: i64): [n]i64 = iota n

def f (a: i64) (b: i64) = map2 (+) (ids a) (ids b)

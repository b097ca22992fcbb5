type vector [n] = [n]f64

def dot (a: vector) (b: vector) = f64.sum (map2 (*) a b)

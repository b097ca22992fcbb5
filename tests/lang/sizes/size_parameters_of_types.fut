type vector [n] = [n]f64

type matrix [n] [m] = [n]vector [m]

def row [n] [m] (a: matrix [n] [m]) (i: i64) : vector [m] = a[i]

def shape [n] [m] (_: matrix [n] [m]) : (i64, i64) = (n, m)

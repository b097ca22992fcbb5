def scaled (n: i64) (x: f64) : f64 = f64.i64 n * x

def main (n: i64) (x: f64) = scaled x n

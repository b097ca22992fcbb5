def f (x: i64) (y: i64) (z: i64) = x == y == z
def g (x: f64) = 0 <= x < 1.0

def a (x: i64) = f64 x
def b (xs: []i32) = map f64 xs

def f (a: i32) (b: i64) = a + b
def g (n: i32) = iota n

def add (x: i64) (y: i64): i64 = x + y
def f (x: i64): i64 = add x
def g (x: i64): i64 = 2 * x + add

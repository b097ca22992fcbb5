def add (x: i64) (y: i64): i64 = x + y
def f (x: i64) = add(x, 1) + add(x, 2)
def g (xs: []i64) = map(\x -> x + 1, xs)

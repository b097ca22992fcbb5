def f (x: i32) = g x

def g (x: i32) = x + 1

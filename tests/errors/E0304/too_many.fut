def f (x: i32) = x

def g = f 1 2

type age = i32

def f (x: age i32) = x

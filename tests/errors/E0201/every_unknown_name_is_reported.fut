def f (x: i32) = x + alpha * beta

def g (y: i32) = gamma y

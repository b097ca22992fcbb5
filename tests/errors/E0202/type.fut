def f (x: int) = x

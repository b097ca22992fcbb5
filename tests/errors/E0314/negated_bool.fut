def f (b: bool) = -b

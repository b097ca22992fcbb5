def f : bool = 1

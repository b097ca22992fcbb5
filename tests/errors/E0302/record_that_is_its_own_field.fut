def f s = s.x * s

def f (s: unknown) = s.x * s

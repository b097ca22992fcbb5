def f (a: bool) = a + a

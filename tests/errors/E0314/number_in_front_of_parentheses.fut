def f (a: i64) = 2(a + 1)

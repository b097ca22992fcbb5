def f (n: i32) =
  loop (a, b) = (0i32, n) for _i < n do (a + 1, n)

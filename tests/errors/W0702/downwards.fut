def f = 10i32..1

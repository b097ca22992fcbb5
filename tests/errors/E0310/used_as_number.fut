def f 'a (x: a) : i32 = x

def f [n] (x: i32): [n]i32 = replicate n x

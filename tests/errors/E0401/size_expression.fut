def f (n: i64) (xs: [n + 1]i32): [n]i32 = xs

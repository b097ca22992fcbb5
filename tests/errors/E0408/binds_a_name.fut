def f (n: i64) (xs: [let m = n in m]i32) = xs

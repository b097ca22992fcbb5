def f (xs: [3]i32) : [4]i32 = xs

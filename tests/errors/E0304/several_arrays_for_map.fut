entry main [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map (+) xs ys

def f [n] (xs: [n]i32) (cmp: [n]i32 -> bool) = cmp (filter (> 0) xs)

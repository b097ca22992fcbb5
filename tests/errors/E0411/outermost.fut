def f (xs: [?]i32) = xs

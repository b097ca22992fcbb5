def f (n: i64) (xs: [(\x -> x + 1) n]i32) = xs

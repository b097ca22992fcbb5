def f (n: i64) (xs: [match n case _ -> 2]i32) = xs

def f (xs: []i64) = iota (reduce (\a b -> a + b) 0 xs)

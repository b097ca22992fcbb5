def sum_both [n] (xs: [n]i32) (k: i64) = map2 (+) xs (replicate k 1)

def total (xs: []i64) = reduce (+) xs

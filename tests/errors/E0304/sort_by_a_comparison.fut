entry falling (xs: []i32) : []i32 = sort (>=) xs

entry by_last_digit (xs: []i32) : []i32 = sort (\x -> x % 10) xs

def pairs [n] (xs: [n]i32) = zip (filter (> 0) xs) (filter (> 0) xs)

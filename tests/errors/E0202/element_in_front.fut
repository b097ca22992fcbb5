entry main (xs: []i32) = 1 : xs

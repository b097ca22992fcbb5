entry main (n: i64) : []i64 = [x * x | x <- iota n]

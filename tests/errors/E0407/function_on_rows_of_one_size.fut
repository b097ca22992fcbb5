def sum_of_three (xs: [3]i64) : i64 = i64.sum xs

def f [n] (xss: [n][?]i64) : [n]i64 = map sum_of_three xss

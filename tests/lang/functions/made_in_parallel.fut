def adders [n] (xs: [n]i32) : [n](i32 -> i32) = map (\x -> \y -> x + y) xs

def use [n] (xs: [n]i32) : [n]i32 = map (\f -> f 10) (adders xs)

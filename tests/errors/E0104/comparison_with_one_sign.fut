def a (x: i64): i64 = if x = 0 && x = 1 then 1 else 0
def b (xs: []i64) = filter (\x -> x = 0) xs

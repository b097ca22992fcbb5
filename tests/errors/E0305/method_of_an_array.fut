def a (xs: []i64) = xs.length
def b (xs: []i64) = xs.map (\x -> x + 1)

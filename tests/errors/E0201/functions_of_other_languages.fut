def a (xs: []i64) = map (|x| x + 1) xs
def b (xs: []i64) = map (x => x + 1) xs
def c (xs: []i64) = map (lambda x: x) xs

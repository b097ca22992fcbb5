def a (xs: []i64) = map (lambda x: x + 1) xs
def b (xs: []i64) = map (fun x -> x + 1) xs
def c (xs: []i64) = reduce (fn a b => a + b) 0 xs

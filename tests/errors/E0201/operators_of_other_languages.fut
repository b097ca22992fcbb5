def a (x: i64) = x <> 2
def b (x: i64) = x += 1

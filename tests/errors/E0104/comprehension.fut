def a (xs: []i64) = [x + 1 for x in xs]
def b (xs: []i64) = [x for x in xs if x > 0]

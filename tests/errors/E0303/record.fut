def f r = r.x

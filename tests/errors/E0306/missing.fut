type pair 'a 'b = (a, b)

def f (p: pair i32) = p.0

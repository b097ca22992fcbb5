type marked 'a = (a, bool)

def f (x: marked ([?]i32)) = x.1

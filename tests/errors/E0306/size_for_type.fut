type row 'a = [3]a

def f [n] (x: row [n]) = x

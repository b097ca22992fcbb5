def f [n] (r: {a: [n]i32, b: [n]bool}) = r

def g = f {a = [1, 2], b = [true]}

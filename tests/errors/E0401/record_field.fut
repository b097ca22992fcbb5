type grid = ?[n].{width: i64, cells: [n]i32}

def f [n] (r: {a: [n]i32, b: [n]bool}) = r

def g = f {a = [1, 2], b = [true]}

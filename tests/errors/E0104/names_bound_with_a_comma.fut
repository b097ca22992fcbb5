def f: i64 = let x = 1, y = 2 in x + y

def f (r: {a: {b: i32}}) = r with a.b = 1

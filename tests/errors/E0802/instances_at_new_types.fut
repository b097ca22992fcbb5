def f0 'a (_: a) : i64 = 1
def f1 'a (x: a) : i64 = f0 (x, 1i32) + f0 [x]
def f2 'a (x: a) : i64 = f1 (x, 1i32) + f1 [x]
def f3 'a (x: a) : i64 = f2 (x, 1i32) + f2 [x]
def f4 'a (x: a) : i64 = f3 (x, 1i32) + f3 [x]
def f5 'a (x: a) : i64 = f4 (x, 1i32) + f4 [x]
def f6 'a (x: a) : i64 = f5 (x, 1i32) + f5 [x]
def f7 'a (x: a) : i64 = f6 (x, 1i32) + f6 [x]
def f8 'a (x: a) : i64 = f7 (x, 1i32) + f7 [x]
def f9 'a (x: a) : i64 = f8 (x, 1i32) + f8 [x]
def f10 'a (x: a) : i64 = f9 (x, 1i32) + f9 [x]
def f11 'a (x: a) : i64 = f10 (x, 1i32) + f10 [x]
def f12 'a (x: a) : i64 = f11 (x, 1i32) + f11 [x]
def f13 'a (x: a) : i64 = f12 (x, 1i32) + f12 [x]

entry main : i64 = f13 1i32

-- Each function is used at two new types by the next.
-- growth: 8 16 32
-- refused from 16: E0802
def f0 'a (_: a) : i64 = 1
-- repeat
def f{i} 'a (x: a) : i64 = f{i-1} (x, x) + f{i-1} [x]
-- end
entry main : i64 = f{n} 1i32

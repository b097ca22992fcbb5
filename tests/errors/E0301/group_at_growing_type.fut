def f 'a (n: i64) (x: a) : i64 = if n == 0 then 0 else g (n - 1) (x, x)
with
def g 'a (n: i64) (x: a) : i64 = f n x

def f (x: i64) : i64 = x
with
def f (x: i64) : i64 = x

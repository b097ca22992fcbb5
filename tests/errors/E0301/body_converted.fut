def f (n: i64): f64 = n
def g (n: i64): f64 =
  let m = n + 1
  in m
def h (a: f64) (c: bool) = if c then 1i64 else a
def k (a: i64) =
  let b: f64 = a
  in b

def f (x: i64): bool = x > 1 and x < 5
def g (a: bool) (b: bool) = if a or not b then 1i32 else 2

def f (x: i64): i64 {
  return x
}
def g (x: i64) = f x

// a comment
def f (x: i64): i64 =
  // another
  x

module m = {
  def size = 10i64
}

def f (xs: [m.size]i32): [10]i32 = xs

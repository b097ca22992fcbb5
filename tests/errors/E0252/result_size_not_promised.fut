module m: {val f: (n: i64) -> [n]i64} = {
  def f (n: i64) = filter (> 3) (iota n)
}

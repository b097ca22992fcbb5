module type counts = {
  val count [n] : [n][?]i64 -> i64
}

module m: counts = {
  def count [n] [m] (_: [n][m]i64) : i64 = n * m
}

module type sums = {
  val sums [n] : [n][?]i64 -> [n]i64
}

module by_map : sums = {
  def sums [n] (xss: [n][?]i64) : [n]i64 = map i64.sum xss
}

module more_general : sums = {
  def sums [n] 'a (_: [n]a) : [n]i64 = iota n
}

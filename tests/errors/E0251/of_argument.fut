module twice (m: {val once: i32 -> i32}) = {
  def twice (x: i32) = m.once (m.once x)
}

module t = twice {
  def one (x: i32) = x + 1
}

module m: {val limit: i64} = {
  def limit = 10i32
}

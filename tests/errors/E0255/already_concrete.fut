module type counted = {
  type t = i32
  val start: t
}

module m: counted with t = i64 = {
  type t = i64
  def start = 0i64
}

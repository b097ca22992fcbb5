module type sized = {
  type t
  val size: t -> i64
}

module type named = {
  include sized
  val name: t -> []u8
}

module square: named = {
  type t = {side: i64}
  def size (s: t) = s.side * s.side
}

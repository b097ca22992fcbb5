module type number = {
  type t
  val zero: t
}

module m: nubmer = {
  type t = i32
  def zero = 0i32
}

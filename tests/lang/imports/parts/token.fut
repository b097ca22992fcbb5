module token : {
  type t
  val make : i32 -> t
  val value : t -> i32
} = {
  type t = i32

  def make (x: i32) : t = x
  def value (x: t) : i32 = x
}

open token

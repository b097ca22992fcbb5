-- ==
-- input { 3 } output { true }

module type ordered = {
  type t
  val less : t -> t -> bool
}

module type int_like = {
  include ordered with t = i32
  val zero : i32
}

module m : int_like = {
  type t = i32

  def less (x: t) (y: t) = x < y
  def zero = 0i32
}

def main (x: i32) : bool = m.less m.zero x

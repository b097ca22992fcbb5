-- ==
-- input { 3 4 } output { 7 12 }

module type additive = {
  type t
  val add : t -> t -> t
}

module type ring = {
  include additive
  val mul : t -> t -> t
}

module ints : (ring with t = i32) = {
  type t = i32

  def add (x: t) (y: t) = x + y
  def mul (x: t) (y: t) = x * y
}

def main (x: i32) (y: i32) : (i32, i32) = (ints.add x y, ints.mul x y)

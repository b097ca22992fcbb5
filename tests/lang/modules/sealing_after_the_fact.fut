-- ==
-- input { 3 } output { 4 }

module open_counter = {
  type t = i32

  def start (x: i32) : t = x
  def next (c: t) : t = c + 1
  def value (c: t) : i32 = c
}

module type counter = {
  type t
  val start : i32 -> t
  val next : t -> t
  val value : t -> i32
}

module sealed = open_counter : counter

def main (x: i32) : i32 = sealed.value (sealed.next (sealed.start x))

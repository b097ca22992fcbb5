-- ==
-- input { 3 } output { 20 }

module type op = {
  type t
  val apply : t -> t
}

module twice (m: op) : (op with t = m.t) = {
  type t = m.t

  def apply (x: t) = m.apply (m.apply x)
}

module then_add (m: op with t = i32) : (op with t = i32) = {
  type t = i32

  def apply (x: i32) = m.apply x + 8
}

module double : (op with t = i32) = {
  type t = i32

  def apply (x: i32) = 2 * x
}

module all = then_add (twice double)

def main (x: i32) : i32 = all.apply x

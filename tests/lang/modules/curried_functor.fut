-- ==
-- input { 4 } output { 14 }

module type value = {
  val x : i32
}

module add (a: value) (b: value) = {
  def sum (k: i32) = a.x + b.x + k
}

module m = add {
  def x = 3i32
} {
  def x = 7i32
}

def main (k: i32) : i32 = m.sum k

-- ==
-- input { 5 } output { 10 }

module type has_f = {
  val f : i32 -> i32
}

module type transformer = (m: has_f) -> has_f

module doubled : transformer = \(m: has_f) -> {
  def f (x: i32) = m.f x + m.f x
}

module m = doubled {
  def f (x: i32) = x
}

def main (x: i32) : i32 = m.f x

-- ==
-- input { 3 } output { 3 3 }

module type container = {
  type c 'a
  val two 'a : a -> c a
}

module pairs : (container with c 'a = (a, a)) = {
  type c 'a = (a, a)

  def two 'a (x: a) = (x, x)
}

def main (x: i32) : (i32, i32) = pairs.two x

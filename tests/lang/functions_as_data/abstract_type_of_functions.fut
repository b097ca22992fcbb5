-- ==
-- input { [1i64, 2i64, -3i64] } output { [4i64, 5i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) }

module type operation = {
  type^ t
  val add : i64 -> t
  val run : t -> i64 -> i64
}

module operation : operation = {
  type^ t = i64 -> i64
  def add (x: i64) : t = \y -> x + y
  def run (f: t) (y: i64) : i64 = f y
}

def main [n] (xs: [n]i64) : [n]i64 =
  map (\f -> operation.run f 3) (map operation.add xs)

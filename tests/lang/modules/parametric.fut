module type monoid = {
  type t
  val zero : t
  val add : t -> t -> t
}

module folding (m: monoid) = {
  def fold [n] (xs: [n]m.t) : m.t = reduce m.add m.zero xs
}

module sums = folding {
  type t = i32
  def zero : t = 0
  def add (x: t) (y: t) : t = x + y
}

module pairs (a: monoid) (b: monoid) : monoid with t = (a.t, b.t) = {
  type t = (a.t, b.t)
  def zero : t = (a.zero, b.zero)
  def add ((x, y): t) ((x', y'): t) : t = (a.add x x', b.add y y')
}

def total [n] (xs: [n]i32) : i32 = sums.fold xs

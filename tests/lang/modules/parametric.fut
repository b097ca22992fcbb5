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

-- ==
-- entry: total
-- input { [1, 2, 3] } output { 6 }
-- input { [7] } output { 7 }
-- input { empty([0]i32) } output { 0 }
entry total [n] (xs: [n]i32) : i32 = sums.fold xs

module addition = {
  type t = i32
  def zero : t = 0
  def add (x: t) (y: t) : t = x + y
}

module conjunction = {
  type t = bool
  def zero : t = true
  def add (x: t) (y: t) : t = x && y
}

module both = folding (pairs addition conjunction)

-- ==
-- entry: total_and_all
-- input { [1, 2, 3] [true, true, true] } output { 6 true }
-- input { [1, 2] [true, false] } output { 3 false }
-- input { empty([0]i32) empty([0]bool) } output { 0 true }
entry total_and_all [n] (xs: [n]i32) (bs: [n]bool) : (i32, bool) =
  both.fold (zip xs bs)

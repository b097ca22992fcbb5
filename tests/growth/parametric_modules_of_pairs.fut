-- A parametric module that makes a pair, applied to what it has made.
-- growth: 8 16 32
-- refused from 16: E0802
module type t = {
  type a
  val x : a
}

module pair (m: t) = {
  type a = (m.a, m.a)
  def x : a = (m.x, m.x)
}

module m0 = {
  type a = i64
  def x : i64 = 1
}

-- repeat
module m{i} = pair m{i-1}
-- end
entry main : i64 = let _x = m{n}.x in 1

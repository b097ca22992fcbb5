-- Bodies of the prelude are checked when a program reaches them, by whatever names.

-- A module of the prelude inside an argument.
module norm (P: {module N : real}) = {
  def length (x: P.N.t) (y: P.N.t) : P.N.t = P.N.sqrt P.N.(x * x + y * y)
}
module norm32 = norm {module N = f32}

-- One argument after the other: the body knows the second parameter by another name than its argument is given to.
module both
  (A: {type t val highest : t val popc : t -> i32})
  (B: {type t val lowest : t val hypot : t -> t -> t val i32 : i32 -> t}) = {
  def a = A.popc A.highest
  def b = B.hypot (B.i32 3) (B.i32 4)
}
module both_of = both u16 f64

-- A parametric module as argument.
module apply (F: (I: integral) -> {val bits : I.t -> i32}) = {
  module inner = F i16
  def bits = inner.bits
}
module counted = apply (\(I: integral) : {val bits : I.t -> i32} -> {
  def bits (x: I.t) : i32 = i32.i64 (I.to_i64 (I.sum [x, x])) + I.clz x
})

-- Sealed again, under a name that hides a type's own module.
module i64 : {type t = i64 val mad : t -> t -> t -> t} = {
  type t = i64
  def mad (a: t) (b: t) (c: t) = i64.max (i64.sum [a * b, c]) i64.lowest
}

-- ==
-- entry: main
-- input { 3f32 4f32 } output { 5f32 16 5f64 17 17i64 }
entry main (x: f32) (y: f32) =
  (norm32.length x y, both_of.a, both_of.b, counted.bits 1, i64.mad 3 4 5)

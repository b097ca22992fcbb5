-- Every member of every number module, at its type. The parametric modules below name each member
-- once with its type written out, and are applied to each module that must have it.
-- ==
-- entry: width
-- input { } output { 8 16 32 64 8 16 32 64 16 32 64 }

module use_from_prim (M: from_prim) = {
  type t = M.t
  def c1 : i8 -> t = M.i8
  def c2 : i16 -> t = M.i16
  def c3 : i32 -> t = M.i32
  def c4 : i64 -> t = M.i64
  def c5 : u8 -> t = M.u8
  def c6 : u16 -> t = M.u16
  def c7 : u32 -> t = M.u32
  def c8 : u64 -> t = M.u64
  def c9 : f16 -> t = M.f16
  def c10 : f32 -> t = M.f32
  def c11 : f64 -> t = M.f64
  def c12 : bool -> t = M.bool
}

module use_numeric (M: numeric) = {
  open use_from_prim M
  def add : t -> t -> t = (M.+)
  def sub : t -> t -> t = (M.-)
  def mul : t -> t -> t = (M.*)
  def div : t -> t -> t = (M./)
  def mod : t -> t -> t = (M.%)
  def pow : t -> t -> t = (M.**)
  def n1 : t -> i64 = M.to_i64
  def eq : t -> t -> bool = (M.==)
  def ne : t -> t -> bool = (M.!=)
  def lt : t -> t -> bool = (M.<)
  def gt : t -> t -> bool = (M.>)
  def le : t -> t -> bool = (M.<=)
  def ge : t -> t -> bool = (M.>=)
  def n2 : t -> t = M.neg
  def n3 : t -> t -> t = M.max
  def n4 : t -> t -> t = M.min
  def n5 : t -> t = M.abs
  def n6 : t -> t = M.sgn
  def n7 : t = M.highest
  def n8 : t = M.lowest
  def n9 [n] (xs: [n]t) : t = M.sum xs
  def n10 [n] (xs: [n]t) : t = M.product xs
  def n11 [n] (xs: [n]t) : t = M.maximum xs
  def n12 [n] (xs: [n]t) : t = M.minimum xs
}

module use_integral (M: integral) = {
  open use_numeric M
  def quot : t -> t -> t = (M.//)
  def rem : t -> t -> t = (M.%%)
  def band : t -> t -> t = (M.&)
  def bor : t -> t -> t = (M.|)
  def bxor : t -> t -> t = (M.^)
  def shl : t -> t -> t = (M.<<)
  def ashr : t -> t -> t = (M.>>)
  def lshr : t -> t -> t = (M.>>>)
  def b1 : t -> t = M.not
  def width : i32 = M.num_bits
  def b3 : i32 -> t -> i32 = M.get_bit
  def b4 : i32 -> t -> i32 -> t = M.set_bit
  def b5 : t -> i32 = M.popc
  def b6 : t -> t -> t = M.mul_hi
  def b7 : t -> t -> t -> t = M.mad_hi
  def b8 : t -> i32 = M.clz
  def b9 : t -> i32 = M.ctz
}

module use_real (M: real) = {
  open use_numeric M
  def r1 : i64 -> i64 -> t = M.from_fraction
  def r2 : t -> i64 = M.to_i64
  def r3 : t -> f64 = M.to_f64
  def unary (x: t) : []t =
    [ M.recip x
    , M.sqrt x
    , M.rsqrt x
    , M.cbrt x
    , M.exp x
    , M.sin x
    , M.cos x
    , M.tan x
    , M.sinpi x
    , M.cospi x
    , M.tanpi x
    , M.asin x
    , M.acos x
    , M.atan x
    , M.asinpi x
    , M.acospi x
    , M.atanpi x
    , M.sinh x
    , M.cosh x
    , M.tanh x
    , M.asinh x
    , M.acosh x
    , M.atanh x
    , M.gamma x
    , M.lgamma x
    , M.erf x
    , M.erfc x
    , M.log x
    , M.log2 x
    , M.log10 x
    , M.log1p x
    , M.ceil x
    , M.floor x
    , M.trunc x
    , M.round x
    ]
  def binary (x: t) (y: t) : []t = [M.atan2 x y, M.atan2pi x y, M.hypot x y]
  def ternary (x: t) (y: t) (z: t) : []t =
    [M.lerp x y z, M.mad x y z, M.fma x y z]
  def tests (x: t) : [2]bool = [M.isinf x, M.isnan x]
  def constants : [4]t = [M.inf, M.nan, M.pi, M.e]
}

module use_float (M: float) = {
  open use_real M
  def f1 : M.int_t -> t = M.from_bits
  def f2 : t -> M.int_t = M.to_bits
  def width : i32 = M.num_bits
  def f4 : i32 -> t -> i32 = M.get_bit
  def f5 : i32 -> t -> i32 -> t = M.set_bit
  def f6 : t = M.epsilon
  def f7 : t -> t -> t = M.nextafter
  def f8 : t -> i32 -> t = M.ldexp
  def f9 : t -> t -> t = M.copysign
}

-- The types of the modules are the primitive types themselves.
module sealed_bool : from_prim with t = bool = bool
module sealed_i8 : integral with t = i8 = i8
module sealed_i16 : integral with t = i16 = i16
module sealed_i32 : integral with t = i32 = i32
module sealed_i64 : integral with t = i64 = i64
module sealed_u8 : integral with t = u8 = u8
module sealed_u16 : integral with t = u16 = u16
module sealed_u32 : integral with t = u32 = u32
module sealed_u64 : integral with t = u64 = u64
module sealed_f16 : float with t = f16 with int_t = u16 = f16
module sealed_f32 : float with t = f32 with int_t = u32 = f32
module sealed_f64 : float with t = f64 with int_t = u64 = f64

module use_bool = use_from_prim bool
module use_i8 = use_integral i8
module use_i16 = use_integral i16
module use_i32 = use_integral i32
module use_i64 = use_integral i64
module use_u8 = use_integral u8
module use_u16 = use_integral u16
module use_u32 = use_integral u32
module use_u64 = use_integral u64
module use_f16 = use_float f16
module use_f32 = use_float f32
module use_f64 = use_float f64

entry width : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) =
  ( use_i8.width
  , use_i16.width
  , use_i32.width
  , use_i64.width
  , use_u8.width
  , use_u16.width
  , use_u32.width
  , use_u64.width
  , use_f16.width
  , use_f32.width
  , use_f64.width
  )

-- | The modules of the number types, and the module types that describe them.
--
-- There is one module for each primitive type, with the same name: `i32.+` is addition of `i32`s,
-- `f64.sqrt` the square root of an `f64`, `u8.i32 x` the `u8` made from the `i32` called `x`. Code
-- that is to work for several number types is written as a parametric module over one of the module
-- types, such as `module mean (R: real) = ..`.
--
-- From the least to the most demanding, these are
--
-- * `from_prim`@mtype: can be made from any primitive value,
--
-- * `numeric`@mtype: can be computed with and compared,
--
-- * `integral`@mtype: are whole numbers with a fixed count of bits,
--
-- * `real`@mtype: have fractions and the functions of analysis,
--
-- * `float`@mtype: are represented in the IEEE format.

import "primitive"
import "soacs"

-- | Types with a value for every value of every primitive type.
--
-- The function named after a primitive type converts *from* that type. For the modules in this file
-- the rules are:
--
-- * from an integer to a narrower one: the high bits are dropped,
--
-- * from an integer to a wider one: a signed number that stays signed keeps its value; otherwise
--   the new bits are zero,
--
-- * from a float to an integer: the fraction is dropped, then the high bits as for an integer; NaN
--   and the infinities give 0,
--
-- * to a float: the nearest number that can be represented,
--
-- * from `bool`: `true` is 1 and `false` is 0,
--
-- * to `bool`: zero is `false` and everything else `true`.
module type from_prim = {
  type t

  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t

  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t

  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t

  val bool : bool -> t
}

-- | Numbers of whatever kind: arithmetic, comparison, and the usual reductions of arrays.
module type numeric = {
  include from_prim

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t

  -- | Division. That of integers rounds towards negative infinity, and dividing by zero is a
  -- failure.
  val (/) : t -> t -> t

  -- | What division leaves over. For integers it has the sign of the divisor; for floats, where the
  -- quotient is truncated, that of the dividend.
  val (%) : t -> t -> t

  -- | Power. A negative exponent of an integer is a failure.
  val (**) : t -> t -> t

  -- | The number as an integer; what is lost is lost as in the conversion `i64.t`.
  val to_i64 : t -> i64

  val (==) : t -> t -> bool
  val (<) : t -> t -> bool
  val (>) : t -> t -> bool
  val (<=) : t -> t -> bool
  val (>=) : t -> t -> bool
  val (!=) : t -> t -> bool

  -- | The number with the opposite sign; for unsigned numbers, what must be added to give zero.
  val neg : t -> t

  -- | The larger of two numbers.
  val max : t -> t -> t

  -- | The smaller of two numbers.
  val min : t -> t -> t

  -- | The magnitude of a number.
  val abs : t -> t

  -- | The sign of a number: -1, 0 or 1.
  val sgn : t -> t

  -- | No number is larger.
  val highest : t

  -- | No number is smaller.
  val lowest : t

  -- | All elements added; 0 if there are none.
  val sum [n] : [n]t -> t

  -- | All elements multiplied; 1 if there are none.
  val product [n] : [n]t -> t

  -- | The largest element; `lowest` if there are none.
  val maximum [n] : [n]t -> t

  -- | The smallest element; `highest` if there are none.
  val minimum [n] : [n]t -> t
}

-- | Integers of a fixed width. Arithmetic wraps around.
module type integral = {
  include numeric

  -- | Division that rounds towards zero, as the hardware does it.
  val (//) : t -> t -> t

  -- | The remainder that belongs to `//`; it has the sign of the dividend.
  val (%%) : t -> t -> t

  -- | Bitwise and.
  val (&) : t -> t -> t

  -- | Bitwise or.
  val (|) : t -> t -> t

  -- | Bitwise exclusive or.
  val (^) : t -> t -> t

  -- | Every bit inverted.
  val not : t -> t

  -- | Shift left; zeros enter.
  val (<<) : t -> t -> t

  -- | Shift right; copies of the topmost bit enter, even if the type is unsigned.
  val (>>) : t -> t -> t

  -- | Shift right; zeros enter, even if the type is signed.
  val (>>>) : t -> t -> t

  -- | The width of the type.
  val num_bits : i32

  -- | `get_bit i x` is bit `i` of `x`, counted from the least significant one: 0 or 1.
  val get_bit : i32 -> t -> i32

  -- | `set_bit i x b` is `x` with bit `i` replaced by `b`, which must be 0 or 1.
  val set_bit : i32 -> t -> i32 -> t

  -- | How many bits are one.
  val popc : t -> i32

  -- | The high half of the product, which has twice as many bits as its factors.
  val mul_hi : (x: t) -> (y: t) -> t

  -- | `mul_hi a b + c` in one step, where the machine has one.
  val mad_hi : (a: t) -> (b: t) -> (c: t) -> t

  -- | How many zeros there are above the most significant one; `num_bits` for 0.
  val clz : t -> i32

  -- | How many zeros there are below the least significant one; `num_bits` for 0.
  val ctz : t -> i32
}

-- | Approximations of the real numbers.
module type real = {
  include numeric

  -- | One divided by the number.
  val recip : t -> t

  -- | The first argument divided by the second.
  val from_fraction : i64 -> i64 -> t
  val to_i64 : t -> i64
  val to_f64 : t -> f64

  val sqrt : t -> t

  -- | One divided by the square root, in one step where the machine has one.
  val rsqrt : t -> t

  -- | Cube root.
  val cbrt : t -> t
  val exp : t -> t

  val sin : t -> t
  val cos : t -> t
  val tan : t -> t

  -- | The sine of an angle given in half turns: `sin (pi * x)`, possibly more precise. So with the
  -- others that end in `pi`; those that begin with `a` return half turns.
  val sinpi : t -> t
  val cospi : t -> t
  val tanpi : t -> t

  val asin : t -> t
  val acos : t -> t
  val atan : t -> t

  val asinpi : t -> t
  val acospi : t -> t
  val atanpi : t -> t

  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t

  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t

  -- | `atan2 y x` is the angle between the positive first axis and the point *(x,y)*.
  val atan2 : t -> t -> t

  -- | As `atan2`, in half turns.
  val atan2pi : t -> t -> t

  -- | The distance of the point with these coordinates from the origin, found without overflow on
  -- the way.
  val hypot : t -> t -> t

  -- | The gamma function, which extends the factorial: `gamma (n + 1)` is *n!*.
  val gamma : t -> t

  -- | The logarithm of the magnitude of `gamma`.
  val lgamma : t -> t

  -- | The error function.
  val erf : t -> t

  -- | One minus the error function.
  val erfc : t -> t

  -- | `lerp a b s` goes from `a` to `b` as `s` goes from 0 to 1. No promise is made for other `s`.
  val lerp : t -> t -> t -> t

  -- | Logarithm to base *e*.
  val log : t -> t

  -- | Logarithm to base 2.
  val log2 : t -> t

  -- | Logarithm to base 10.
  val log10 : t -> t

  -- | `log (1 + x)`, precise for a small `x` too.
  val log1p : t -> t

  -- | The least integral number that is not below.
  val ceil : t -> t

  -- | The greatest integral number that is not above.
  val floor : t -> t

  -- | The number without its fraction.
  val trunc : t -> t

  -- | The nearest integral number; of two equally near, the even one.
  val round : t -> t

  -- | `a * b + c` in whichever way is fastest; the product may or may not be rounded.
  val mad : (a: t) -> (b: t) -> (c: t) -> t

  -- | `a * b + c` without rounding the product.
  val fma : (a: t) -> (b: t) -> (c: t) -> t

  -- | Is it an infinity, of either sign?
  val isinf : t -> bool

  -- | Is it the result of an undefined operation?
  val isnan : t -> bool

  val inf : t
  val nan : t

  val pi : t
  val e : t
}

-- | Floating-point numbers, whose representation can be looked at.
module type float = {
  include real

  -- | The unsigned integers of the same width.
  type int_t

  -- | The number that has this representation.
  val from_bits : int_t -> t

  -- | The representation of a number.
  val to_bits : t -> int_t

  -- | The width of the type.
  val num_bits : i32

  -- | As in `integral`@mtype, on the representation.
  val get_bit : i32 -> t -> i32

  -- | As in `integral`@mtype, on the representation.
  val set_bit : i32 -> t -> i32 -> t

  -- | How far the next number after 1 is from 1.
  val epsilon : t

  -- | The next representable number after `x` on the way to `y`.
  val nextafter : (x: t) -> (y: t) -> t

  -- | `ldexp x k` is `x` times the `k`th power of two.
  val ldexp : t -> i32 -> t

  -- | The magnitude of `x` with the sign of `y`.
  val copysign : (x: t) -> (y: t) -> t
}

-- What every number module derives from a few of its operations.
local module complete (P: {
  type t
  val i32 : i32 -> t
  val (+) : t -> t -> t
  val (*) : t -> t -> t
  val (==) : t -> t -> bool
  val (<) : t -> t -> bool
  val (<=) : t -> t -> bool
  val max : t -> t -> t
  val min : t -> t -> t
  val highest : t
  val lowest : t
}) = {
  def (!=) (x: P.t) (y: P.t) : bool = !(x P.== y)
  def (>) (x: P.t) (y: P.t) : bool = y P.< x
  def (>=) (x: P.t) (y: P.t) : bool = y P.<= x

  def sum [n] (xs: [n]P.t) : P.t = reduce (P.+) (P.i32 0) xs
  def product [n] (xs: [n]P.t) : P.t = reduce (P.*) (P.i32 1) xs
  def maximum [n] (xs: [n]P.t) : P.t = reduce P.max P.lowest xs
  def minimum [n] (xs: [n]P.t) : P.t = reduce P.min P.highest xs
}

-- Access to single bits.
local module bits (P: {
  type t
  val i32 : i32 -> t
  val to_i32 : t -> i32
  val (&) : t -> t -> t
  val (|) : t -> t -> t
  val (<<) : t -> t -> t
  val (>>) : t -> t -> t
  val not : t -> t
}) = {
  def get_bit (i: i32) (x: P.t) : i32 =
    P.to_i32 ((x P.>> P.i32 i) P.& P.i32 1)

  def set_bit (i: i32) (x: P.t) (b: i32) : P.t =
    (x P.& P.not (P.i32 1 P.<< P.i32 i)) P.| (P.i32 b P.<< P.i32 i)
}

-- What floats derive besides; `B` is the module of the integers that represent them.
local module complete_float
  (P: {
    type t
    type int_t
    val i32 : i32 -> t
    val i64 : i64 -> t
    val (/) : t -> t -> t
    val to_bits : t -> int_t
    val from_bits : int_t -> t
  })
  (B: {
    val get_bit : i32 -> P.int_t -> i32
    val set_bit : i32 -> P.int_t -> i32 -> P.int_t
  }) = {
  def recip (x: P.t) : P.t = P.i32 1 P./ x
  def from_fraction (x: i64) (y: i64) : P.t = P.i64 x P./ P.i64 y

  def get_bit (i: i32) (x: P.t) : i32 = B.get_bit i (P.to_bits x)
  def set_bit (i: i32) (x: P.t) (b: i32) : P.t =
    P.from_bits (B.set_bit i (P.to_bits x) b)
}

-- Note: inside the modules below a name such as `i8` is first a module and, once the operations
-- have been opened, a conversion; so the floats open what mentions an integer module first.

-- | Truth values. There is no arithmetic on them.
module bool : from_prim with t = bool = {
  type t = bool

  def i8 (x: i8) : t = intrinsics.to_bool x
  def i16 (x: i16) : t = intrinsics.to_bool x
  def i32 (x: i32) : t = intrinsics.to_bool x
  def i64 (x: i64) : t = intrinsics.to_bool x

  def u8 (x: u8) : t = intrinsics.to_bool x
  def u16 (x: u16) : t = intrinsics.to_bool x
  def u32 (x: u32) : t = intrinsics.to_bool x
  def u64 (x: u64) : t = intrinsics.to_bool x

  def f16 (x: f16) : t = intrinsics.to_bool x
  def f32 (x: f32) : t = intrinsics.to_bool x
  def f64 (x: f64) : t = intrinsics.to_bool x

  def bool (x: bool) : t = x
}

module i8 : integral with t = i8 = {
  open prim_i8
  open complete prim_i8
  open bits prim_i8
}

module i16 : integral with t = i16 = {
  open prim_i16
  open complete prim_i16
  open bits prim_i16
}

module i32 : integral with t = i32 = {
  open prim_i32
  open complete prim_i32
  open bits prim_i32
}

module i64 : integral with t = i64 = {
  open prim_i64
  open complete prim_i64
  open bits prim_i64
}

module u8 : integral with t = u8 = {
  open prim_u8
  open complete prim_u8
  open bits prim_u8
}

module u16 : integral with t = u16 = {
  open prim_u16
  open complete prim_u16
  open bits prim_u16
}

module u32 : integral with t = u32 = {
  open prim_u32
  open complete prim_u32
  open bits prim_u32
}

module u64 : integral with t = u64 = {
  open prim_u64
  open complete prim_u64
  open bits prim_u64
}

-- | Half precision: about three decimal digits, and numbers up to 65504. Where the machine has no
-- such arithmetic it is done in single precision, slowly, and may come out more precise.
module f16 : float with t = f16 with int_t = u16 = {
  open complete_float prim_f16 u16
  open prim_f16
  open complete prim_f16
}

-- | Single precision: about seven decimal digits.
module f32 : float with t = f32 with int_t = u32 = {
  open complete_float prim_f32 u32
  open prim_f32
  open complete prim_f32
}

-- | Double precision: about sixteen decimal digits.
module f64 : float with t = f64 with int_t = u64 = {
  open complete_float prim_f64 u64
  open prim_f64
  open complete prim_f64
}

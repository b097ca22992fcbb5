-- | Complex numbers over any type of real numbers.
--
-- A complex number is the pair of its real and its imaginary part, so that arrays of them are stored as
-- two arrays, and entry points take and return them as pairs. `c32`@module has parts of type `f32`,
-- `c64`@module of type `f64`: `c64.(mk 1 2 * mk 3 4)` is `(-5, 10)`. All functions take constant time.
--
-- Many-valued functions return their principal value, with the argument in (-pi, pi].

import "field"

-- | What a module of complex numbers has.
module type complex = {
  -- | The module of the parts.
  module R : real

  -- | The type of the parts.
  type real = R.t

  -- | A real and an imaginary part.
  type t = (R.t, R.t)

  -- | The number with these two parts.
  val mk : real -> real -> t

  -- | The number with this real part, and without an imaginary one.
  val mk_re : real -> t

  -- | The number with this imaginary part, and without a real one.
  val mk_im : real -> t

  -- | The same as `mk_re`.
  val from_real : real -> t

  -- | The number that stands for an integer.
  val i64 : i64 -> t

  -- | The number with this magnitude and this argument.
  val polar : real -> real -> t

  -- | The number of magnitude 1 with this argument: `exp (i * x)`.
  val cis : real -> t

  val zero : t
  val one : t

  -- | The square root of -1.
  val i : t

  val re : t -> real
  val im : t -> real

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t

  -- | Division that overflows only if the quotient does, or nearly does (Smith 1962).
  val (/) : t -> t -> t

  -- | Power: `exp (b * log a)`; `0 ** 0` is 1.
  val (**) : t -> t -> t

  val (==) : t -> t -> bool
  val (!=) : t -> t -> bool

  val neg : t -> t

  -- | The number with the opposite imaginary part.
  val conj : t -> t

  -- | The number times a real one.
  val scale : real -> t -> t

  -- | One divided by the number.
  val recip : t -> t

  -- | The distance from zero, found without overflow on the way.
  val mag : t -> real

  -- | The square of the distance from zero.
  val mag2 : t -> real

  -- | The angle to the positive real axis, in (-pi, pi].
  val arg : t -> real

  val exp : t -> t
  val log : t -> t
  val sqrt : t -> t

  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t

  -- | A power with an integral exponent, by squaring: precise, in time *O(log(n))*.
  val pow : t -> i64 -> t

  -- | All `n` roots: the numbers whose `n`th power this is. The principal one comes first, the others
  -- follow counterclockwise.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  val roots : (n: i64) -> t -> [n]t

  -- | Is one of the parts not a number?
  val isnan : t -> bool

  -- | Is one of the parts infinite?
  val isinf : t -> bool

  -- | All elements added. **Work:** *O(n)*. **Span:** *O(log(n))*.
  val sum [n] : [n]t -> t

  -- | All elements multiplied. **Work:** *O(n)*. **Span:** *O(log(n))*.
  val product [n] : [n]t -> t
}

-- | Complex numbers with parts of this type.
module mk_complex (F: real) : complex with R.t = F.t = {
  module R = F
  type real = R.t
  type t = (R.t, R.t)

  -- The name `i64` becomes a function below.
  local module I = i64

  local def r0 : real = R.i64 0
  local def r1 : real = R.i64 1
  local def r2 : real = R.i64 2
  local def half : real = R.from_fraction 1 2

  def mk (x: real) (y: real) : t = (x, y)
  def mk_re (x: real) : t = (x, r0)
  def mk_im (y: real) : t = (r0, y)
  def from_real (x: real) : t = (x, r0)
  def i64 (n: i64) : t = (R.i64 n, r0)
  def polar (m: real) (a: real) : t = (m R.* R.cos a, m R.* R.sin a)
  def cis (a: real) : t = (R.cos a, R.sin a)

  def zero : t = (r0, r0)
  def one : t = (r1, r0)
  def i : t = (r0, r1)

  def re (z: t) : real = z.0
  def im (z: t) : real = z.1

  def neg (a: t) : t = (R.neg a.0, R.neg a.1)
  def conj (a: t) : t = (a.0, R.neg a.1)
  def scale (s: real) (a: t) : t = (s R.* a.0, s R.* a.1)
  def mag (a: t) : real = R.hypot a.0 a.1
  def mag2 (a: t) : real = R.(a.0 * a.0 + a.1 * a.1)
  def arg (a: t) : real = R.atan2 a.1 a.0

  def (+) (a: t) (b: t) : t = (a.0 R.+ b.0, a.1 R.+ b.1)
  def (-) (a: t) (b: t) : t = (a.0 R.- b.0, a.1 R.- b.1)

  def (*) (a: t) (b: t) : t =
    R.((a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0))

  def (/) (a: t) (b: t) : t =
    if R.(abs b.0 >= abs b.1)
    then let ratio = b.1 R./ b.0
         let whole = R.(b.0 + b.1 * ratio)
         in R.(((a.0 + a.1 * ratio) / whole, (a.1 - a.0 * ratio) / whole))
    else let ratio = b.0 R./ b.1
         let whole = R.(b.0 * ratio + b.1)
         in R.(((a.0 * ratio + a.1) / whole, (a.1 * ratio - a.0) / whole))

  def recip (a: t) : t = one / a

  def (==) (a: t) (b: t) : bool = a.0 R.== b.0 && a.1 R.== b.1
  def (!=) (a: t) (b: t) : bool = !(a == b)

  def exp (a: t) : t = polar (R.exp a.0) a.1

  -- Near the unit circle the logarithm of the magnitude is small, and is found from the difference to
  -- 1.
  def log (a: t) : t =
    let x = R.max (R.abs a.0) (R.abs a.1)
    let y = R.min (R.abs a.0) (R.abs a.1)
    let m =
      if x R.> half && x R.< r2
      then half R.* R.log1p R.((x - r1) * (x + r1) + y * y)
      else R.log (R.hypot x y)
    in (m, arg a)

  -- One part is the root of a sum without cancellation, the other a quotient.
  def sqrt (a: t) : t =
    if a == zero
    then zero
    else let s = R.sqrt (half R.* (mag a R.+ R.abs a.0))
         let other = R.abs a.1 R./ (r2 R.* s)
         let signed (y: real) : real = if a.1 R.< r0 then R.neg y else y
         in if a.0 R.>= r0
            then (s, signed other)
            else (other, signed s)

  def (**) (a: t) (b: t) : t =
    if a == zero
    then if b == zero then one else zero
    else exp (b * log a)

  def sinh (a: t) : t =
    R.((sinh a.0 * cos a.1, cosh a.0 * sin a.1))

  def cosh (a: t) : t =
    R.((cosh a.0 * cos a.1, sinh a.0 * sin a.1))

  -- For a large real part, where the hyperbolic functions overflow, only the sign of it counts.
  def tanh (a: t) : t =
    if R.abs a.0 R.> R.i64 20
    then ( R.sgn a.0
         , R.(i64 4 * sin a.1 * cos a.1 * exp (neg (i64 2 * abs a.0)))
         )
    else let whole = R.(cosh (i64 2 * a.0) + cos (i64 2 * a.1))
         in R.((sinh (i64 2 * a.0) / whole, sin (i64 2 * a.1) / whole))

  -- Multiplication by `i`, and by `-i`.
  local def turn (a: t) : t = (R.neg a.1, a.0)
  local def turn_back (a: t) : t = (a.1, R.neg a.0)

  def sin (a: t) : t = turn_back (sinh (turn a))
  def cos (a: t) : t = cosh (turn a)
  def tan (a: t) : t = turn_back (tanh (turn a))

  -- The formulas of Hull, Fairgrieve and Tang (1997) without their care for overflow.
  def asin (a: t) : t =
    let below = sqrt (one - a)
    let above = sqrt (one + a)
    in ( R.atan2 a.0 (re (below * above))
       , R.asinh (im (conj below * above))
       )

  def acos (a: t) : t =
    let below = sqrt (one - a)
    let above = sqrt (one + a)
    in ( r2 R.* R.atan2 (re below) (re above)
       , R.asinh (im (conj above * below))
       )

  def atan (a: t) : t =
    let x = a.0
    let y = a.1
    let below = R.(x * x + (i64 1 - y) * (i64 1 - y))
    in R.(( from_fraction 1 2
            * atan2 (i64 2 * x) ((i64 1 - y) * (i64 1 + y) - x * x)
          , from_fraction 1 4 * log1p (i64 4 * y / below)
          ))

  def pow (a: t) (n: i64) : t =
    let (power, _, _) =
      loop (power, square, left) = (one, a, I.abs n)
      while left I.> 0 do
        ( if left I.% 2 I.== 1 then power * square else power
        , square * square
        , left I./ 2
        )
    in if n I.< 0 then recip power else power

  def roots (n: i64) (a: t) : [n]t =
    let m = mag a R.** R.from_fraction 1 n
    let turn (k: i64) : real =
      R.((arg a + i64 2 * pi * i64 k) / i64 n)
    in map (\k -> polar m (turn k)) (iota n)

  def isnan (a: t) : bool = R.isnan a.0 || R.isnan a.1
  def isinf (a: t) : bool = R.isinf a.0 || R.isinf a.1

  def sum [n] (as: [n]t) : t = reduce (+) zero as
  def product [n] (as: [n]t) : t = reduce (*) one as
}

-- | Complex numbers of single precision.
module c32 = mk_complex f32

-- | Complex numbers of double precision.
module c64 = mk_complex f64

-- That complex numbers are a field is checked here.
local module c64_is_a_field : field = c64

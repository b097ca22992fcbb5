-- | What computations that work for several types of numbers are written over.
--
-- A semiring can add and multiply, which is all that products of matrices need. Any field is one,
-- `numeric_semiring`@module makes one of a module of numbers, and `min_plus`@module, in which a product
-- of matrices finds shortest ways, is another.
--
-- A field here has four operations, a conjugate and a magnitude, which is a number of a `real`@mtype
-- module `R`. For the real numbers the conjugate is the number itself. Any module of complex numbers
-- (`/norn/complex`) is a field already; `real_field`@module makes one of `f16`, `f32` or `f64`.

-- | Numbers that can be added and multiplied. Both operations are associative, and addition is
-- commutative.
module type semiring = {
  type t

  -- | Neutral for addition. A product with it is `zero` again.
  val zero : t

  -- | Neutral for multiplication.
  val one : t

  val (+) : t -> t -> t
  val (*) : t -> t -> t
  val (==) : t -> t -> bool
}

-- | Numbers as a semiring.
module numeric_semiring (N: numeric) : semiring with t = N.t = {
  type t = N.t

  def zero : t = N.i64 0
  def one : t = N.i64 1
  def (+) (x: t) (y: t) : t = x N.+ y
  def (*) (x: t) (y: t) : t = x N.* y
  def (==) (x: t) (y: t) : bool = x N.== y
}

-- | Distances as a semiring: the sum of two is the smaller one, their product the length of both ways.
module min_plus (R: real) : semiring with t = R.t = {
  type t = R.t

  def zero : t = R.inf
  def one : t = R.i64 0
  def (+) (x: t) (y: t) : t = R.min x y
  def (*) (x: t) (y: t) : t = x R.+ y
  def (==) (x: t) (y: t) : bool = x R.== y
}

-- | Truth values as a semiring, with "or" as the sum and "and" as the product.
module or_and : semiring with t = bool = {
  type t = bool

  def zero : t = false
  def one : t = true
  def (+) (x: t) (y: t) : t = x || y
  def (*) (x: t) (y: t) : t = x && y
  def (==) (x: t) (y: t) : bool = !(x != y)
}

-- | Numbers that can be added, multiplied and divided, and whose magnitudes are real numbers.
module type field = {
  -- | The real numbers below.
  module R : real

  type t

  val zero : t
  val one : t

  -- | The number that stands for an integer.
  val i64 : i64 -> t

  -- | The number that stands for a real one.
  val from_real : R.t -> t

  -- | The real part.
  val re : t -> R.t

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  val (/) : t -> t -> t
  val (==) : t -> t -> bool

  val neg : t -> t

  -- | The number with the opposite imaginary part.
  val conj : t -> t

  -- | The distance from zero.
  val mag : t -> R.t
}

-- | Real numbers as a field.
module real_field (F: real) : field with t = F.t with R.t = F.t = {
  module R = F
  type t = F.t

  def zero : t = F.i64 0
  def one : t = F.i64 1
  def i64 (x: i64) : t = F.i64 x
  def from_real (x: F.t) : t = x
  def re (x: t) : F.t = x

  def (+) (x: t) (y: t) : t = x F.+ y
  def (-) (x: t) (y: t) : t = x F.- y
  def (*) (x: t) (y: t) : t = x F.* y
  def (/) (x: t) (y: t) : t = x F./ y
  def (==) (x: t) (y: t) : bool = x F.== y

  def neg (x: t) : t = F.neg x
  def conj (x: t) : t = x
  def mag (x: t) : F.t = F.abs x
}

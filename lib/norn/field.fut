-- | What computations that work for real and for complex numbers alike are written over.
--
-- A field here has four operations, a conjugate and a magnitude, which is a number of a `real`@mtype module `R`. For the
-- real numbers the conjugate is the number itself. Any module of complex numbers (`/norn/complex`) is a field already;
-- `real_field`@module makes one of `f16`, `f32` or `f64`.

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

-- Every function of a number, against finite differences and in both directions: forwards, in reverse, and the second derivative as the difference of
-- the first one.

def near (a: f64) (b: f64) : bool =
  f64.abs (a - b) <= 1e-5 * (1 + f64.abs a + f64.abs b)

def slope (f: f64 -> f64) (x: f64) : f64 =
  let h = 1e-6
  in (f (x + h) - f (x - h)) / (2 * h)

-- All derivatives of `f` at `x` agree.
def holds (f: f64 -> f64) (x: f64) : bool =
  let forwards = \y -> jvp f y 1
  let in_reverse = \y -> vjp f y 1
  let expected = slope f x
  let second = slope forwards x
  in near (forwards x) expected
     && near (in_reverse x) expected
     && near (jvp in_reverse x 1) second
     && near (vjp forwards x 1) second
     && near (vjp in_reverse x 1) second
     && near (jvp forwards x 1) second

-- ==
-- entry: roots_and_powers
-- input { 0.7 } output { [true, true, true, true, true, true, true] }
-- input { 2.3 } output { [true, true, true, true, true, true, true] }
entry roots_and_powers (x: f64) : [7]bool =
  [ holds f64.sqrt x
  , holds f64.rsqrt x
  , holds f64.cbrt x
  , holds (** 3) x
  , holds (2 **) x
  , holds (\y -> y ** y) x
  , holds (\y -> 1 / (y + 1)) x
  ]

-- ==
-- entry: exponentials
-- input { 0.7 } output { [true, true, true, true, true, true] }
-- input { 2.3 } output { [true, true, true, true, true, true] }
entry exponentials (x: f64) : [6]bool =
  [ holds f64.exp x
  , holds f64.log x
  , holds f64.log2 x
  , holds f64.log10 x
  , holds f64.log1p x
  , holds (\y -> f64.erf y + f64.erfc (y / 2)) x
  ]

-- ==
-- entry: angles
-- input { 0.3 } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { -0.6 } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
entry angles (x: f64) : [12]bool =
  [ holds f64.sin x
  , holds f64.cos x
  , holds f64.tan x
  , holds f64.asin x
  , holds f64.acos x
  , holds f64.atan x
  , holds f64.sinpi x
  , holds f64.cospi x
  , holds f64.tanpi x
  , holds f64.asinpi x
  , holds f64.acospi x
  , holds f64.atanpi x
  ]

-- ==
-- entry: hyperbolic
-- input { 0.3 } output { [true, true, true, true, true, true] }
-- input { 0.8 } output { [true, true, true, true, true, true] }
entry hyperbolic (x: f64) : [6]bool =
  [ holds f64.sinh x
  , holds f64.cosh x
  , holds f64.tanh x
  , holds f64.asinh x
  , holds (\y -> f64.acosh (y + 1)) x
  , holds f64.atanh x
  ]

-- ==
-- entry: gammas
-- input { 0.7 } output { [true, true] }
-- input { 4.2 } output { [true, true] }
-- input { -1.3 } output { [true, true] }
entry gammas (x: f64) : [2]bool = [holds f64.gamma x, holds f64.lgamma x]

-- ==
-- entry: of_two
-- input { 0.7 } output { [true, true, true, true, true, true] }
-- input { -0.4 } output { [true, true, true, true, true, true] }
entry of_two (x: f64) : [6]bool =
  [ holds (\y -> f64.atan2 y (y * y + 1)) x
  , holds (\y -> f64.atan2 (f64.cos y) y) x
  , holds (\y -> f64.hypot y 2) x
  , holds (\y -> f64.copysign (y * y + 1) y) x
  , holds (\y -> (y + 5) % (f64.sin y + 1.5)) x
  , holds (\y -> f64.ldexp y 3) x
  ]

-- ==
-- entry: of_three
-- input { 0.7 } output { [true, true, true] }
-- input { 0.4 } output { [true, true, true] }
entry of_three (x: f64) : [3]bool =
  [ holds (\y -> f64.fma y (y + 1) (y * y)) x
  , holds (\y -> f64.mad y (y + 1) (y * y)) x
  , holds (\y -> f64.lerp (2 * y) (y * y) (y / 2)) x
  ]

-- ==
-- entry: choices
-- input { 0.7 } output { [true, true, true, true, true] }
-- input { -0.4 } output { [true, true, true, true, true] }
entry choices (x: f64) : [5]bool =
  [ holds f64.abs x
  , holds (\y -> f64.min (y * y) y) x
  , holds (\y -> f64.max (y * y) y) x
  , holds (\y -> if y < 0 then y * y * y else f64.sin y) x
  , holds (\y -> f64.round y + f64.floor y * y + f64.sgn y) x
  ]

-- Known values, in other precisions.
-- ==
-- entry: narrow
-- input { 3.0f32 2.0f16 } output { 6.0f32 12.0f16 }
entry narrow (x: f32) (y: f16) : (f32, f16) =
  (vjp (\x -> x * x) x 1, jvp (\y -> y * y * y) y 1)

-- ==
-- entry: converted
-- input { 3.0f32 } output { 27.0f32 27.0f32 }
entry converted (x: f32) : (f32, f32) =
  let cube (x: f32) = let y = f64.f32 x in f32.f64 (y * y * y)
  in (jvp cube x 1, vjp cube x 1)

-- At a point where it has none, a derivative is one of its neighbours' by convention, and nothing that is not chosen spoils it.
-- ==
-- entry: conventions
-- input { 0.0 } output { 0.0 1.0 0.0 1.0 }
entry conventions (x: f64) : (f64, f64, f64, f64) =
  ( vjp f64.abs x 1
  , vjp (\y -> f64.max y f64.nan) x 1
  , vjp (\y -> f64.min y (-f64.inf)) x 1
  , vjp (\y -> f64.max y 0) x 1
  )

-- Integers are constants beside floats, and have formal derivatives where there are no floats.
-- ==
-- entry: integers
-- input { 3i32 2.0 } output { 0i32 3.0 27i32 27i32 }
entry integers (i: i32) (x: f64) : (i32, f64, i32, i32) =
  let (di, dx) = vjp (\(i: i32, x) -> f64.i32 i * x) (i, x) 1
  in (di, dx, jvp (\i -> i * i * i) i 1, vjp (\i -> i * i * i) i 1)

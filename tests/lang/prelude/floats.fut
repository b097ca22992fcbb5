-- Arithmetic and functions of the float modules.

-- ==
-- entry: arithmetic
-- input { 7.5f64 2.0f64 } output { 9.5f64 5.5f64 15.0f64 3.75f64 1.5f64 56.25f64 }
-- input { -7.5f64 2.0f64 } output { -5.5f64 -9.5f64 -15.0f64 -3.75f64 -1.5f64 56.25f64 }
entry arithmetic (x: f64) (y: f64) : (f64, f64, f64, f64, f64, f64) =
  (x f64.+ y, x f64.- y, x f64.* y, x f64./ y, x f64.% y, x f64.** y)

-- ==
-- entry: comparison
-- input { 1.0f32 2.0f32 } output { false true true true false false }
-- input { 2.0f32 2.0f32 } output { true false false true false true }
-- input { f32.nan 2.0f32 } output { false true false false false false }
-- input { f32.nan f32.nan } output { false true false false false false }
entry comparison (x: f32) (y: f32) : (bool, bool, bool, bool, bool, bool) =
  (x f32.== y, x f32.!= y, x f32.< y, x f32.<= y, x f32.> y, x f32.>= y)

-- A NaN yields to a number.
-- ==
-- entry: extremes
-- input { 1.5f64 -2.5f64 } output { 1.5f64 -2.5f64 }
-- input { f64.nan 3.0f64 } output { 3.0f64 3.0f64 }
-- input { 3.0f64 f64.nan } output { 3.0f64 3.0f64 }
entry extremes (x: f64) (y: f64) : (f64, f64) = (f64.max x y, f64.min x y)

-- ==
-- entry: signs
-- input { -2.5f32 } output { 2.5f32 2.5f32 -1.0f32 -0.4f32 }
-- input { 0.5f32 } output { -0.5f32 0.5f32 1.0f32 2.0f32 }
entry signs (x: f32) : (f32, f32, f32, f32) =
  (f32.neg x, f32.abs x, f32.sgn x, f32.recip x)

-- ==
-- entry: rounding
-- input { [2.5f64, -2.5f64, 3.5f64, -0.75f64, 0.25f64] }
-- output { [3.0f64, -2.0f64, 4.0f64, 0.0f64, 1.0f64] [2.0f64, -3.0f64, 3.0f64, -1.0f64, 0.0f64]
--          [2.0f64, -2.0f64, 3.0f64, 0.0f64, 0.0f64] [2.0f64, -2.0f64, 4.0f64, -1.0f64, 0.0f64] }
entry rounding [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  (map f64.ceil xs, map f64.floor xs, map f64.trunc xs, map f64.round xs)

-- ==
-- entry: roots
-- input { 64.0f64 } output { 8.0f64 0.125f64 4.0f64 }
entry roots (x: f64) : (f64, f64, f64) = (f64.sqrt x, f64.rsqrt x, f64.cbrt x)

-- ==
-- entry: logarithms
-- input { 1000.0f64 } output { 6.907755278982137f64 9.965784284662087f64 3.0f64 6.90875477931522f64 1000.0f64 }
entry logarithms (x: f64) : (f64, f64, f64, f64, f64) =
  (f64.log x, f64.log2 x, f64.log10 x, f64.log1p x, f64.exp (f64.log x))

-- ==
-- entry: angles
-- input { 0.5f64 }
-- output { 0.479425538604203f64 0.8775825618903728f64 0.5463024898437905f64
--          0.5235987755982989f64 1.0471975511965979f64 0.4636476090008061f64 }
entry angles (x: f64) : (f64, f64, f64, f64, f64, f64) =
  (f64.sin x, f64.cos x, f64.tan x, f64.asin x, f64.acos x, f64.atan x)

-- ==
-- entry: half_turns
-- input { 0.25f64 }
-- output { 0.7071067811865476f64 0.7071067811865476f64 1.0f64
--          0.08043062325516624f64 0.4195693767448338f64 0.07797913037736932f64 }
entry half_turns (x: f64) : (f64, f64, f64, f64, f64, f64) =
  ( f64.sinpi x
  , f64.cospi x
  , f64.tanpi x
  , f64.asinpi x
  , f64.acospi x
  , f64.atanpi x
  )

-- ==
-- entry: hyperbolic
-- input { 0.5f64 1.5f64 }
-- output { 0.5210953054937474f64 1.1276259652063807f64 0.46211715726000973f64
--          0.48121182505960347f64 0.9624236501192069f64 0.5493061443340548f64 }
entry hyperbolic (x: f64) (y: f64) : (f64, f64, f64, f64, f64, f64) =
  (f64.sinh x, f64.cosh x, f64.tanh x, f64.asinh x, f64.acosh y, f64.atanh x)

-- ==
-- entry: of_points
-- input { 3.0f64 4.0f64 } output { 0.6435011087932844f64 0.20483276469913345f64 5.0f64 }
-- input { 1.0f64 -1.0f64 } output { 2.356194490192345f64 0.75f64 1.4142135623730951f64 }
entry of_points (y: f64) (x: f64) : (f64, f64, f64) =
  (f64.atan2 y x, f64.atan2pi y x, f64.hypot x y)

-- ==
-- entry: special
-- input { 5.0f64 0.5f64 } output { 24.0f64 3.178053830347946f64 0.5204998778130465f64 0.4795001221869535f64 }
entry special (x: f64) (y: f64) : (f64, f64, f64, f64) =
  (f64.gamma x, f64.lgamma x, f64.erf y, f64.erfc y)

-- ==
-- entry: three_operands
-- input { 2.0f64 6.0f64 0.25f64 } output { 3.0f64 12.25f64 12.25f64 }
entry three_operands (x: f64) (y: f64) (z: f64) : (f64, f64, f64) =
  (f64.lerp x y z, f64.mad x y z, f64.fma x y z)

-- Only a fused multiplication sees what the product loses by rounding.
-- ==
-- entry: fma_rounds_once
-- input { 134217729.0f64 } output { 1.0f64 }
entry fma_rounds_once (x: f64) : f64 =
  f64.fma x x (-18014398777917440.0)

-- ==
-- entry: special_values
-- input { } output { true true false true true true }
entry special_values : (bool, bool, bool, bool, bool, bool) =
  ( f64.isinf f64.inf
  , f64.isinf (f64.neg f64.inf)
  , f64.isinf f64.nan
  , f64.isnan f64.nan
  , f32.isnan f32.nan && f16.isnan f16.nan
  , f32.isinf f32.inf && f16.isinf f16.inf
  )

-- ==
-- entry: constants
-- input { } output { 3.141592653589793f64 2.718281828459045f64 3.1415927f32 2.7182817f32 3.140625f16 2.71875f16 }
entry constants : (f64, f64, f32, f32, f16, f16) =
  (f64.pi, f64.e, f32.pi, f32.e, f16.pi, f16.e)

-- The distance from 1 to the next number is what `nextafter` finds.
-- ==
-- entry: precision
-- input { } output { true true true 2.220446049250313e-16f64 1.1920929e-7f32 }
entry precision : (bool, bool, bool, f64, f32) =
  ( f16.nextafter 1 2 - 1 == f16.epsilon
  , f32.nextafter 1 2 - 1 == f32.epsilon
  , f64.nextafter 1 2 - 1 == f64.epsilon
  , f64.epsilon
  , f32.epsilon
  )

-- ==
-- entry: limits
-- input { } output { true true true true true true }
entry limits : (bool, bool, bool, bool, bool, bool) =
  ( f16.highest == f16.inf
  , f32.highest == f32.inf
  , f64.highest == f64.inf
  , f16.lowest == f16.neg f16.inf
  , f32.lowest == f32.neg f32.inf
  , f64.lowest == f64.neg f64.inf
  )

-- ==
-- entry: fractions
-- input { 1i64 4i64 } output { 0.25f64 0.25f32 0.25f16 0.25f64 0.25f64 }
entry fractions (x: i64) (y: i64) : (f64, f32, f16, f64, f64) =
  ( f64.from_fraction x y
  , f32.from_fraction x y
  , f16.from_fraction x y
  , f32.to_f64 (f32.from_fraction x y)
  , f16.to_f64 (f16.from_fraction x y)
  )

-- ==
-- entry: representation
-- input { 1.5f64 } output { 4609434218613702656u64 1069547520u32 15872u16 1.5f64 1.5f32 1.5f16 }
entry representation (x: f64) : (u64, u32, u16, f64, f32, f16) =
  let a = f64.to_bits x
  let b = f32.to_bits (f32.f64 x)
  let c = f16.to_bits (f16.f64 x)
  in (a, b, c, f64.from_bits a, f32.from_bits b, f16.from_bits c)

-- ==
-- entry: single_bits
-- input { 1.5f32 } output { 0 1 -1.5f32 1.0f32 }
entry single_bits (x: f32) : (i32, i32, f32, f32) =
  (f32.get_bit 31 x, f32.get_bit 22 x, f32.set_bit 31 x 1, f32.set_bit 22 x 0)

-- ==
-- entry: scaled
-- input { 1.5f64 } output { 12.0f64 0.375f64 -1.5f64 }
entry scaled (x: f64) : (f64, f64, f64) =
  (f64.ldexp x 3, f64.ldexp x (-2), f64.copysign x (-0.0))

-- ==
-- entry: reductions
-- input { [1.5f32, -2.0f32, 4.0f32] } output { 3.5f32 -12.0f32 4.0f32 -2.0f32 }
-- input { empty([0]f32) } output { 0.0f32 1.0f32 -f32.inf f32.inf }
entry reductions [n] (xs: [n]f32) : (f32, f32, f32, f32) =
  (f32.sum xs, f32.product xs, f32.maximum xs, f32.minimum xs)

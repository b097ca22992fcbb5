-- Conversions between the primitive types.

-- Narrowing drops the high bits.
-- ==
-- entry: narrowing
-- input { 511i32 -129i64 65535u16 } output { -1i8 255u8 127i8 127u8 -1i8 -1i16 }
entry narrowing (x: i32) (y: i64) (z: u16) : (i8, u8, i8, u8, i8, i16) =
  (i8.i32 x, u8.i32 x, i8.i64 y, u8.i64 y, i8.u16 z, i16.u16 z)

-- Widening keeps the value of a signed number only if the result is signed too.
-- ==
-- entry: widening
-- input { -1i8 255u8 } output { -1i16 -1i64 255u16 255u64 255i16 255i64 255u32 }
entry widening (x: i8) (y: u8) : (i16, i64, u16, u64, i16, i64, u32) =
  (i16.i8 x, i64.i8 x, u16.i8 x, u64.i8 x, i16.u8 y, i64.u8 y, u32.u8 y)

-- ==
-- entry: to_i64
-- input { -1i8 255u8 -2.5f32 } output { -1i64 255i64 -2i64 }
entry to_i64 (x: i8) (y: u8) (z: f32) : (i64, i64, i64) =
  (i8.to_i64 x, u8.to_i64 y, f32.to_i64 z)

-- ==
-- entry: from_floats
-- input { 2.75f32 } output { 2i8 2i32 2i64 2u8 2u64 }
-- input { 0.5f32 } output { 0i8 0i32 0i64 0u8 0u64 }
entry from_floats (x: f32) : (i8, i32, i64, u8, u64) =
  (i8.f32 x, i32.f32 x, i64.f32 x, u8.f32 x, u64.f32 x)

-- ==
-- entry: towards_zero
-- input { -2.75f64 } output { -2i16 -2i32 -2i64 }
entry towards_zero (x: f64) : (i16, i32, i64) =
  (i16.f64 x, i32.f64 x, i64.f64 x)

-- A negative number wraps around where the target has no sign.
-- ==
-- entry: below_zero
-- input { -3.5f64 } output { 4294967293u32 18446744073709551613u64 253u8 }
entry below_zero (x: f64) : (u32, u64, u8) = (u32.f64 x, u64.f64 x, u8.f64 x)

-- ==
-- entry: not_finite
-- input { [f64.nan, f64.inf, -f64.inf] } output { [0, 0, 0] [0u8, 0u8, 0u8] [0i64, 0i64, 0i64] }
entry not_finite [n] (xs: [n]f64) : ([n]i32, [n]u8, [n]i64) =
  (map i32.f64 xs, map u8.f64 xs, map i64.f64 xs)

-- ==
-- entry: to_floats
-- input { -3i8 200u8 16777217i32 18446744073709551615u64 }
-- output { -3.0f64 200.0f32 16777216.0f32 16777217.0f64 1.8446744073709552e19f64 200.0f16 }
entry to_floats (a: i8)
                (b: u8)
                (c: i32)
                (d: u64) : (f64, f32, f32, f64, f64, f16) =
  (f64.i8 a, f32.u8 b, f32.i32 c, f64.i32 c, f64.u64 d, f16.u8 b)

-- ==
-- entry: between_floats
-- input { 0.1f64 0.5f32 } output { 0.1f32 0.5f64 0.5f16 }
entry between_floats (x: f64) (y: f32) : (f32, f64, f16) =
  (f32.f64 x, f64.f32 y, f16.f32 y)

-- ==
-- entry: from_bool
-- input { [true, false] } output { [1i8, 0i8] [1u64, 0u64] [1.0f32, 0.0f32] [true, false] }
entry from_bool [n] (xs: [n]bool) : ([n]i8, [n]u64, [n]f32, [n]bool) =
  (map i8.bool xs, map u64.bool xs, map f32.bool xs, map bool.bool xs)

-- ==
-- entry: to_bool
-- input { 0 } output { false false false false false false }
-- input { 2 } output { true true true true true true }
-- input { -256 } output { true false true true true true }
entry to_bool (x: i32) : (bool, bool, bool, bool, bool, bool) =
  ( bool.i32 x
  , bool.u8 (u8.i32 x)
  , bool.i64 (i64.i32 x)
  , bool.f16 (f16.i32 x)
  , bool.f32 (f32.i32 x)
  , bool.f64 (f64.i32 x)
  )

-- ==
-- entry: to_bool_narrow
-- input { 1 } output { true true true true true }
-- input { 0 } output { false false false false false }
entry to_bool_narrow (x: i32) : (bool, bool, bool, bool, bool) =
  ( bool.i8 (i8.i32 x)
  , bool.i16 (i16.i32 x)
  , bool.u16 (u16.i32 x)
  , bool.u32 (u32.i32 x)
  , bool.u64 (u64.i32 x)
  )

-- Arithmetic, bits and reductions of the integer modules.

-- `/` and `%` round down, `//` and `%%` towards zero.
-- ==
-- entry: division
-- input { 7 2 } output { 3 1 3 1 }
-- input { -7 2 } output { -4 1 -3 -1 }
-- input { 7 -2 } output { -4 -1 -3 1 }
-- input { -7 -2 } output { 3 -1 3 -1 }
-- input { 1 0 } error: .
entry division (x: i32) (y: i32) : (i32, i32, i32, i32) =
  (x i32./ y, x i32.% y, x i32.// y, x i32.%% y)

-- ==
-- entry: unsigned_division
-- input { 250u8 7u8 } output { 35u8 5u8 35u8 5u8 }
entry unsigned_division (x: u8) (y: u8) : (u8, u8, u8, u8) =
  (x u8./ y, x u8.% y, x u8.// y, x u8.%% y)

-- ==
-- entry: wrapping
-- input { 127i8 255u8 } output { -128i8 -2i8 1i8 0u8 254u8 1u8 }
entry wrapping (x: i8) (y: u8) : (i8, i8, i8, u8, u8, u8) =
  (x i8.+ 1, x i8.* 2, i8.neg (x i8.- i8.lowest), y u8.+ 1, y u8.* 2, u8.neg y)

-- ==
-- entry: powers
-- input { 3 4 } output { 81 }
-- input { -2 3 } output { -8 }
-- input { 5 0 } output { 1 }
-- input { 0 0 } output { 1 }
entry powers (x: i32) (y: i32) : i32 = x i32.** y

-- ==
-- entry: comparison
-- input { 1i64 2i64 } output { false true true true false false }
-- input { 2i64 2i64 } output { true false false true false true }
-- input { 3i64 -2i64 } output { false true false false true true }
entry comparison (x: i64) (y: i64) : (bool, bool, bool, bool, bool, bool) =
  (x i64.== y, x i64.!= y, x i64.< y, x i64.<= y, x i64.> y, x i64.>= y)

-- A large unsigned number is not negative.
-- ==
-- entry: unsigned_comparison
-- input { 200u8 100u8 } output { false true 200u8 100u8 }
entry unsigned_comparison (x: u8) (y: u8) : (bool, bool, u8, u8) =
  (x u8.< y, x u8.>= y, u8.max x y, u8.min x y)

-- ==
-- entry: signs
-- input { -5i16 } output { 5i16 5i16 -1i16 }
-- input { 0i16 } output { 0i16 0i16 0i16 }
-- input { 9i16 } output { -9i16 9i16 1i16 }
entry signs (x: i16) : (i16, i16, i16) =
  (i16.neg x, i16.abs x, i16.sgn x)

-- ==
-- entry: unsigned_signs
-- input { 200u8 } output { 56u8 200u8 1u8 }
-- input { 0u8 } output { 0u8 0u8 0u8 }
entry unsigned_signs (x: u8) : (u8, u8, u8) =
  (u8.neg x, u8.abs x, u8.sgn x)

-- ==
-- entry: signed_limits
-- input { } output { 127i8 -128i8 32767i16 -32768i16 2147483647i32 -2147483648i32 9223372036854775807i64 -9223372036854775808i64 }
entry signed_limits : (i8, i8, i16, i16, i32, i32, i64, i64) =
  ( i8.highest
  , i8.lowest
  , i16.highest
  , i16.lowest
  , i32.highest
  , i32.lowest
  , i64.highest
  , i64.lowest
  )

-- ==
-- entry: unsigned_limits
-- input { } output { 255u8 0u8 65535u16 0u16 4294967295u32 0u32 18446744073709551615u64 0u64 }
entry unsigned_limits : (u8, u8, u16, u16, u32, u32, u64, u64) =
  ( u8.highest
  , u8.lowest
  , u16.highest
  , u16.lowest
  , u32.highest
  , u32.lowest
  , u64.highest
  , u64.lowest
  )

-- ==
-- entry: bitwise
-- input { 12 10 } output { 8 14 6 -13 }
entry bitwise (x: i32) (y: i32) : (i32, i32, i32, i32) =
  (x i32.& y, x i32.| y, x i32.^ y, i32.not x)

-- The shift `>>` of a module copies the topmost bit, whether or not it is a sign.
-- ==
-- entry: shifts
-- input { -16i8 2i8 240u8 2u8 } output { -64i8 -4i8 60i8 192u8 252u8 60u8 }
entry shifts (x: i8) (y: i8) (z: u8) (w: u8) : (i8, i8, i8, u8, u8, u8) =
  (x i8.<< y, x i8.>> y, x i8.>>> y, z u8.<< w, z u8.>> w, z u8.>>> w)

-- The shift `>>` that is part of the language knows the sign from the type.
-- ==
-- entry: built_in_shifts
-- input { -16i8 2i8 240u8 2u8 } output { -64i8 -4i8 192u8 60u8 }
entry built_in_shifts (x: i8) (y: i8) (z: u8) (w: u8) : (i8, i8, u8, u8) =
  (x << y, x >> y, z << w, z >> w)

-- ==
-- entry: single_bits
-- input { 3 8i64 } output { 1 0i64 8i64 9i64 }
-- input { 63 -1i64 } output { 1 9223372036854775807i64 -1i64 -1i64 }
entry single_bits (i: i32) (x: i64) : (i32, i64, i64, i64) =
  (i64.get_bit i x, i64.set_bit i x 0, i64.set_bit i x 1, i64.set_bit 0 x 1)

-- ==
-- entry: single_bits_unsigned
-- input { 7 128u8 } output { 1 0u8 128u8 }
-- input { 0 128u8 } output { 0 128u8 129u8 }
entry single_bits_unsigned (i: i32) (x: u8) : (i32, u8, u8) =
  (u8.get_bit i x, u8.set_bit i x 0, u8.set_bit i x 1)

-- ==
-- entry: counting_bits
-- input { 40i32 } output { 2 26 3 }
-- input { 0i32 } output { 0 32 32 }
-- input { -1i32 } output { 32 0 0 }
entry counting_bits (x: i32) : (i32, i32, i32) =
  (i32.popc x, i32.clz x, i32.ctz x)

-- ==
-- entry: counting_bits_narrow
-- input { 40u8 0i16 } output { 2 2 3 0 16 16 }
entry counting_bits_narrow (x: u8) (y: i16) : (i32, i32, i32, i32, i32, i32) =
  (u8.popc x, u8.clz x, u8.ctz x, i16.popc y, i16.clz y, i16.ctz y)

-- ==
-- entry: high_halves
-- input { 65536i32 -65536i32 4294967295u32 } output { -1i32 9i32 4294967294u32 4u32 }
entry high_halves (x: i32) (y: i32) (z: u32) : (i32, i32, u32, u32) =
  (i32.mul_hi x y, i32.mad_hi x y 10, u32.mul_hi z z, u32.mad_hi z z 6)

-- ==
-- entry: reductions
-- input { [3i64, -1i64, 4i64] } output { 6i64 -12i64 4i64 -1i64 }
-- input { empty([0]i64) } output { 0i64 1i64 -9223372036854775808i64 9223372036854775807i64 }
entry reductions [n] (xs: [n]i64) : (i64, i64, i64, i64) =
  (i64.sum xs, i64.product xs, i64.maximum xs, i64.minimum xs)

-- ==
-- entry: narrow_reductions
-- input { [100u8, 100u8, 100u8] } output { 44u8 64u8 100u8 100u8 }
-- input { empty([0]u8) } output { 0u8 1u8 0u8 255u8 }
entry narrow_reductions [n] (xs: [n]u8) : (u8, u8, u8, u8) =
  (u8.sum xs, u8.product xs, u8.maximum xs, u8.minimum xs)

-- ==
-- entry: a
-- input { } output { [0i64, 1000i64, 255i64, 65535i64, 10i64, 1i64, 9223372036854775807i64, -9223372036854775808i64] }
entry a : [8]i64 =
  [0, 1_000, 0xff, 0xFF_FF, 0b1010, 1i64, 0x7fffffffffffffff,
   -9223372036854775808]

-- ==
-- entry: b
-- input { } output { [1f64, 1.5f64, 1000f64, 0.0025f64, 12f64] }
entry b : [5]f64 = [1, 1.5, 1e3, 2.5e-3, 0x1.8p3]

-- ==
-- entry: c
-- input { } output { 1i8 2i16 3i32 4i64 5u8 6u16 7u32 8u64 1f16 2f32 3f64 }
entry c = (1i8, 2i16, 3i32, 4i64, 5u8, 6u16, 7u32, 8u64, 1f16, 2f32, 3f64)

-- ==
-- entry: d
-- input { } output { 97u8 [116u8, 101u8, 120u8, 116u8, 32u8, 10u8, 32u8, 34u8, 113u8, 117u8, 111u8, 116u8, 101u8, 100u8, 34u8] }
entry d : (u8, []u8) = ('a', "text \n \"quoted\"")

-- With a suffix the bit pattern counts.
-- ==
-- entry: minus_one
-- input { } output { -1i8 }
entry minus_one : i8 = 0xffi8

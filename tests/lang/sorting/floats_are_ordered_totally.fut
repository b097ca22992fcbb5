-- The zero with a sign comes first, NaNs come last in the order they had, and all of them keep their bits.
-- ==
-- entry: of_f32
-- input { [0x7fc00001u32, 0x00000000u32, 0xffc00002u32, 0x80000000u32, 0x7f800000u32, 0xff800000u32, 0x7f800003u32] }
-- output { [0xff800000u32, 0x80000000u32, 0x00000000u32, 0x7f800000u32, 0x7fc00001u32, 0xffc00002u32, 0x7f800003u32] }

-- ==
-- entry: of_f64
-- input { [0xfff8000000000001u64, 0x0000000000000000u64, 0x7ff8000000000002u64, 0x8000000000000000u64] }
-- output { [0x8000000000000000u64, 0x0000000000000000u64, 0xfff8000000000001u64, 0x7ff8000000000002u64] }

-- ==
-- entry: of_f16
-- input { [0xfe01u16, 0x0000u16, 0x7e02u16, 0x8000u16, 0x7c00u16] }
-- output { [0x8000u16, 0x0000u16, 0x7c00u16, 0xfe01u16, 0x7e02u16] }

entry of_f32 [n] (bits: [n]u32) : [n]u32 =
  map f32.to_bits (sort (map f32.from_bits bits))

entry of_f64 [n] (bits: [n]u64) : [n]u64 =
  map f64.to_bits (sort (map f64.from_bits bits))

entry of_f16 [n] (bits: [n]u16) : [n]u16 =
  map f16.to_bits (sort (map f16.from_bits bits))

-- `sort` takes arrays of any primitive type, and finds out which.
-- ==
-- entry: of_i8
-- input { [3i8, -128i8, 0i8, 127i8, -1i8, 3i8] } output { [-128i8, -1i8, 0i8, 3i8, 3i8, 127i8] }
-- input { empty([0]i8) } output { empty([0]i8) }

-- ==
-- entry: of_i16
-- input { [300i16, -32768i16, 0i16, 32767i16, -1i16] } output { [-32768i16, -1i16, 0i16, 300i16, 32767i16] }

-- ==
-- entry: of_i32
-- input { [3, -2147483648, 0, 2147483647, -1, 65536, 256] }
-- output { [-2147483648, -1, 0, 3, 256, 65536, 2147483647] }
-- input { [7] } output { [7] }
-- input { [5, 5, 5, 5] } output { [5, 5, 5, 5] }
-- input { [1, 2, 3, 4, 5] } output { [1, 2, 3, 4, 5] }
-- input { [5, 4, 3, 2, 1] } output { [1, 2, 3, 4, 5] }

-- ==
-- entry: of_i64
-- input { [4294967296i64, -4294967296i64, 1i64, -1i64, 0i64] }
-- output { [-4294967296i64, -1i64, 0i64, 1i64, 4294967296i64] }

-- ==
-- entry: of_u8
-- input { [200u8, 0u8, 255u8, 100u8] } output { [0u8, 100u8, 200u8, 255u8] }

-- ==
-- entry: of_u16
-- input { [40000u16, 0u16, 65535u16, 256u16, 255u16] } output { [0u16, 255u16, 256u16, 40000u16, 65535u16] }

-- ==
-- entry: of_u32
-- input { [4000000000u32, 0u32, 4294967295u32, 1u32] } output { [0u32, 1u32, 4000000000u32, 4294967295u32] }

-- ==
-- entry: of_u64
-- input { [18446744073709551615u64, 0u64, 4294967296u64, 1u64] }
-- output { [0u64, 1u64, 4294967296u64, 18446744073709551615u64] }

-- ==
-- entry: of_f16
-- input { [1.5f16, -f16.inf, f16.nan, -2f16, f16.inf, 0f16] }
-- output { [-f16.inf, -2f16, 0f16, 1.5f16, f16.inf, f16.nan] }

-- ==
-- entry: of_f32
-- input { [1.5f32, -f32.inf, f32.nan, -2f32, f32.inf, 0f32, 1e-40f32, -1e-40f32] }
-- output { [-f32.inf, -2f32, -1e-40f32, 0f32, 1e-40f32, 1.5f32, f32.inf, f32.nan] }

-- ==
-- entry: of_f64
-- input { [1.5, -f64.inf, f64.nan, -2.0, f64.inf, 0.0] }
-- output { [-f64.inf, -2.0, 0.0, 1.5, f64.inf, f64.nan] }

-- ==
-- entry: of_bool
-- input { [true, false, true, false, false] } output { [false, false, false, true, true] }

entry of_i8 (xs: []i8) = sort xs

entry of_i16 (xs: []i16) = sort xs

entry of_i32 (xs: []i32) = sort xs

entry of_i64 (xs: []i64) = sort xs

entry of_u8 (xs: []u8) = sort xs

entry of_u16 (xs: []u16) = sort xs

entry of_u32 (xs: []u32) = sort xs

entry of_u64 (xs: []u64) = sort xs

entry of_f16 (xs: []f16) = sort xs

entry of_f32 (xs: []f32) = sort xs

entry of_f64 (xs: []f64) = sort xs

entry of_bool (xs: []bool) = sort xs

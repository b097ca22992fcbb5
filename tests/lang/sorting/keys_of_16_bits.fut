-- `sort` takes arrays of any primitive type, and finds out which; here those with two digits.
-- ==
-- entry: of_i16
-- input { [300i16, -32768i16, 0i16, 32767i16, -1i16] } output { [-32768i16, -1i16, 0i16, 300i16, 32767i16] }

-- ==
-- entry: of_u16
-- input { [40000u16, 0u16, 65535u16, 256u16, 255u16] } output { [0u16, 255u16, 256u16, 40000u16, 65535u16] }

-- ==
-- entry: of_f16
-- input { [1.5f16, -f16.inf, f16.nan, -2f16, f16.inf, 0f16] }
-- output { [-f16.inf, -2f16, 0f16, 1.5f16, f16.inf, f16.nan] }

entry of_i16 (xs: []i16) = sort xs

entry of_u16 (xs: []u16) = sort xs

entry of_f16 (xs: []f16) = sort xs

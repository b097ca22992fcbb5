-- `sort` takes arrays of any primitive type, and finds out which; here those with four digits.
-- ==
-- entry: of_i32
-- input { [3, -2147483648, 0, 2147483647, -1, 65536, 256] }
-- output { [-2147483648, -1, 0, 3, 256, 65536, 2147483647] }
-- input { [7] } output { [7] }
-- input { [5, 5, 5, 5] } output { [5, 5, 5, 5] }
-- input { [1, 2, 3, 4, 5] } output { [1, 2, 3, 4, 5] }
-- input { [5, 4, 3, 2, 1] } output { [1, 2, 3, 4, 5] }

-- ==
-- entry: of_u32
-- input { [4000000000u32, 0u32, 4294967295u32, 1u32] } output { [0u32, 1u32, 4000000000u32, 4294967295u32] }

-- ==
-- entry: of_f32
-- input { [1.5f32, -f32.inf, f32.nan, -2f32, f32.inf, 0f32, 1e-40f32, -1e-40f32] }
-- output { [-f32.inf, -2f32, -1e-40f32, 0f32, 1e-40f32, 1.5f32, f32.inf, f32.nan] }

entry of_i32 (xs: []i32) = sort xs

entry of_u32 (xs: []u32) = sort xs

entry of_f32 (xs: []f32) = sort xs

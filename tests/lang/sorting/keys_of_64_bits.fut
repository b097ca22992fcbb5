-- `sort` takes arrays of any primitive type, and finds out which; here those with eight digits.
-- ==
-- entry: of_i64
-- input { [4294967296i64, -4294967296i64, 1i64, -1i64, 0i64] }
-- output { [-4294967296i64, -1i64, 0i64, 1i64, 4294967296i64] }

-- ==
-- entry: of_u64
-- input { [18446744073709551615u64, 0u64, 4294967296u64, 1u64] }
-- output { [0u64, 1u64, 4294967296u64, 18446744073709551615u64] }

-- ==
-- entry: of_f64
-- input { [1.5, -f64.inf, f64.nan, -2.0, f64.inf, 0.0] }
-- output { [-f64.inf, -2.0, 0.0, 1.5, f64.inf, f64.nan] }

entry of_i64 (xs: []i64) = sort xs

entry of_u64 (xs: []u64) = sort xs

entry of_f64 (xs: []f64) = sort xs

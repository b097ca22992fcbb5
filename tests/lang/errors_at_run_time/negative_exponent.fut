-- ==
-- entry: of_i32
-- input { 2 10 } output { 1024 }
-- input { -3 3 } output { -27 }
-- input { 0 0 } output { 1 }
-- input { 2 -1 } error: The exponent -1 of an integer power is negative
-- input { 1 -1 } error: The exponent -1 of an integer power is negative
-- input { 0 -2147483648 } error: The exponent -2147483648 of an integer power is negative
entry of_i32 (x: i32) (y: i32) : i32 = x ** y

-- What would be negative in a signed type is a large exponent.
-- ==
-- entry: of_u8
-- input { 3u8 255u8 } output { 171u8 }
entry of_u8 (x: u8) (y: u8) : u8 = x ** y

-- ==
-- entry: of_f64
-- input { 2f64 -2f64 } output { 0.25f64 }
entry of_f64 (x: f64) (y: f64) : f64 = x ** y

-- ==
-- entry: in_parallel
-- input { [2i64, 3i64] [3i64, 0i64] } output { [8i64, 1i64] }
-- input { [2i64, 3i64] [3i64, -2i64] } error: The exponent -2 of an integer power is negative
entry in_parallel [n] (xs: [n]i64) (ys: [n]i64) : [n]i64 = map2 (**) xs ys

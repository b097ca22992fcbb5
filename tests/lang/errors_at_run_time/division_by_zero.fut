-- ==
-- entry: of_i32
-- input { 7 2 } output { 3 }
-- input { 7 0 } error: Division by zero
-- input { 0 0 } error: Division by zero
entry of_i32 (x: i32) (y: i32) : i32 = x / y

-- ==
-- entry: of_u8
-- input { 255u8 16u8 } output { 15u8 }
-- input { 255u8 0u8 } error: Division by zero
entry of_u8 (x: u8) (y: u8) : u8 = x / y

-- Zero is a divisor of floats.
-- ==
-- entry: of_f64
-- input { 1f64 0f64 } output { f64.inf }
-- input { 7f64 2f64 } output { 3.5f64 }
entry of_f64 (x: f64) (y: f64) : f64 = x / y

-- Nothing fails where nothing is divided.
-- ==
-- entry: in_parallel
-- input { [6i64, 7i64] [3i64, 2i64] } output { [2i64, 3i64] }
-- input { [6i64, 7i64] [3i64, 0i64] } error: Division by zero
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry in_parallel [n] (xs: [n]i64) (ys: [n]i64) : [n]i64 = map2 (/) xs ys

-- ==
-- entry: guarded
-- input { [6i64, 7i64] [3i64, 0i64] } output { [2i64, -1i64] }
entry guarded [n] (xs: [n]i64) (ys: [n]i64) : [n]i64 =
  map2 (\x y -> if y == 0 then -1 else x / y) xs ys

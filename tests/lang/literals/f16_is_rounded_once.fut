-- A number becomes the nearest f16, whatever its type was. By way of f32 some would become a tie, and then another f16.
-- ==
-- entry: bits
-- input { [1.000488281251, 1.00048828125, 1.000488281249, 65519.999999, 65520.0, -65519.999999, 2.9802322387695313e-8, 2.9802322387695316e-8, 1e-300, 1e300] }
-- output { [15361u16, 15360u16, 15360u16, 31743u16, 31744u16, 64511u16, 0u16, 1u16, 0u16, 31744u16] }
entry bits [n] (xs: [n]f64) : [n]u16 = map (f16.to_bits <-< f16.f64) xs

-- ==
-- entry: constant
-- input { } output { 15361u16 31743u16 15361u16 }
entry constant : (u16, u16, u16) =
  ( f16.to_bits (f16.f64 1.000488281251)
  , f16.to_bits (f16.f64 65519.999999)
  , f16.to_bits 1.000488281251f16
  )

-- ==
-- entry: integers
-- input { [2049i64, 2051i64, 65519i64, 65520i64, -65519i64, 9223372036854775807i64, 4611686018427387905i64] }
-- output { [26624u16, 26626u16, 31743u16, 31744u16, 64511u16, 31744u16, 31744u16] [26624u16, 26626u16, 31743u16, 31744u16, 31744u16, 31744u16, 31744u16] }
entry integers [n] (xs: [n]i64) : ([n]u16, [n]u16) =
  ( map (f16.to_bits <-< f16.i64) xs
  , map (f16.to_bits <-< f16.u64 <-< u64.i64) xs
  )

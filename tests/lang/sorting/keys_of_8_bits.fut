-- `sort` takes arrays of any primitive type, and finds out which; here those with one digit.
-- ==
-- entry: of_i8
-- input { [3i8, -128i8, 0i8, 127i8, -1i8, 3i8] } output { [-128i8, -1i8, 0i8, 3i8, 3i8, 127i8] }
-- input { empty([0]i8) } output { empty([0]i8) }

-- ==
-- entry: of_u8
-- input { [200u8, 0u8, 255u8, 100u8] } output { [0u8, 100u8, 200u8, 255u8] }

-- ==
-- entry: of_bool
-- input { [true, false, true, false, false] } output { [false, false, false, true, true] }

entry of_i8 (xs: []i8) = sort xs

entry of_u8 (xs: []u8) = sort xs

entry of_bool (xs: []bool) = sort xs

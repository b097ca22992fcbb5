-- The lengths of rows add up to more than a number can be. Sums that wrap around made memory of the wrong size, outside of which rows were
-- written.
-- ==
-- entry: main
-- input { [9223372036854775807i64, 1i64] } error: Cannot allocate
-- input { [4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 3i64] }
-- error: Cannot allocate
-- input { [2i64, 0i64, 3i64] } output { 5i64 }

-- Negative lengths are not added.
-- ==
-- entry: main
-- input { [-5i64, 3i64] } error: The size -5 is negative
-- input { [3i64, -9223372036854775808i64, 3i64] } error: The size -9223372036854775808 is negative

-- In many tiles of a sum.
-- ==
-- entry: many
-- input { 10000i64 4611686018427387904i64 } error: Cannot allocate
-- input { 100000i64 1125899906842624i64 } error: Cannot allocate
-- input { 10000i64 2i64 } output { 20000i64 }

-- Rows of computed elements, whose index space is described by sums of lengths.
-- ==
-- entry: scans squares
-- input { [9223372036854775807i64, 1i64] } error: Cannot allocate
-- input { [4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 3i64] }
-- error: Cannot allocate

-- ==
-- entry: scans
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 5i64] }

-- ==
-- entry: squares
-- input { [4294967296i64, 3i64] } error: Cannot allocate
-- input { [2i64, 0i64, 1i64] } output { [0i64, 0i64, 0i64, 1i64, 0i64] }

-- ==
-- entry: products
-- input { [1048576i64, 0i64] 17592186044416i64 } error: Cannot allocate
-- input { [4i64, 3i64] 4611686018427387904i64 } error: Cannot allocate
-- input { [4i64, 3i64] 2i64 } output { 14i64 }

-- Given lengths.
-- ==
-- entry: cut
-- input { [9223372036854775807i64, 9223372036854775807i64, 3i64] [1i32] }
-- error: The rows have 9223372036854775807 elements in all, but the array has 1
-- input { [2i64, 0i64, 1i64] [1i32, 2i32, 3i32] } output { [2i64, 0i64, 1i64] }

-- Elements without memory. The interpreter does not need to add these lengths up.
-- ==
-- entry: nothing
-- input { [2i64, 0i64, 3i64] } output { [2i64, 0i64, 3i64] }

entry main [n] (lens: [n]i64) : i64 =
  length (irregular.flatten (map (\len -> replicate len true) lens))

entry many (n: i64) (len: i64) : i64 = main (replicate n len)

entry scans [n] (ks: [n]i64) : []i64 =
  irregular.flatten (map (\k -> scan (+) 0 (map (\i -> i * i) (iota k))) ks)

entry squares [n] (ks: [n]i64) : []i64 =
  irregular.flatten (map (\k -> flatten (tabulate_2d k k (\i j -> i * j))) ks)

entry products [n] (ks: [n]i64) (m: i64) : i64 =
  length (irregular.flatten (map (\k -> flatten (tabulate k (\i -> replicate m (i8.i64 i)))) ks))

entry cut [n] [m] (lens: [n]i64) (xs: [m]i32) : []i64 =
  irregular.lengths (irregular.segment lens xs)

entry nothing [n] (lens: [n]i64) : []i64 =
  irregular.lengths (map (\len -> replicate len (replicate 0 true)) lens)

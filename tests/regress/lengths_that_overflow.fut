-- The lengths of rows add up to more than a number can be. On the processor this wrote outside of memory; a GPU is lost.
-- ==
-- no_opencl no_cuda input { [9223372036854775807i64, 1i64] } error: Cannot allocate
-- no_opencl no_cuda input { [4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 3i64] }
-- error: Cannot allocate
-- input { [2i64, 0i64, 3i64] } output { 5i64 }
entry main [n] (lens: [n]i64) : i64 =
  length (irregular.flatten (map (\len -> replicate len true) lens))

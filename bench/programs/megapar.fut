-- A long loop for each of many numbers: all are independent, so any number of devices can share the work.
-- (Svensson, Vollmer, Holk, McDonell and Newton, Converting Data-Parallelism to Task-Parallelism by
-- Rewrites, FHPC 2015, section 6.1.)
-- ==
-- nobench input { 0i64 [5u32] } output { [5u32] }
-- nobench input { 3i64 [0u32, 1u32, 4294967295u32] } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- "1000 x 100000" notest no_cuda script input { input 1000i64 100000i64 }
-- "10000 x 2000000" notest no_cpu no_opencl script input { input 10000i64 2000000i64 }

entry input (iterations: i64) (n: i64) : (i64, [n]u32) =
  (iterations, map u32.i64 (iota n))

entry main [n] (iterations: i64) (starts: [n]u32) : [n]u32 =
  map (\start ->
    loop x = start for _i < iterations do 1664525 * x + 1013904223) starts

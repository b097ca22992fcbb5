-- A kernel fails in the first of many iterations, and the host needs nothing of it: the loop ends all the same, long before
-- its last iteration.

-- ==
-- entry: main
-- input { 1000000000i32 [1i64, 7i64] [1f32, 2f32] } error: Index 7 is out of bounds
-- input { 3i32 [1i64, 0i64] [1f32, 2f32] } output { [5f32, 5.125f32] }
entry main [n] (steps: i32) (is: [n]i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do map2 (\i x -> xs[i] * 0.5 + x) is xs

-- The same after some iterations that are right.
-- ==
-- entry: later
-- input { 1000000000i64 [1f32, 2f32] } error: Index 5000 is out of bounds
entry later [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for i < steps do
    map (\x -> x * 0.5 + (if i < 5000 then 1 else xs[i])) xs

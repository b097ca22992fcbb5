-- What computes an opaque value and what uses it are not fused.
-- ==
-- entry: apart
-- input { [1.0f32, 2.0f32] [3.0f32, 4.0f32] } output { 11.0f32 }
-- input { empty([0]f32) empty([0]f32) } output { 0.0f32 }
-- structure flat { map 1 reduce 1 fused 0 }
entry apart [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  f32.sum (opaque (map2 (*) xs ys))

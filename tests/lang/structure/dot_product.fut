-- A dot product is one operator: the products are never stored.
-- ==
-- input { [1f32, 2f32, 3f32] [4f32, 5f32, 6f32] } output { 32f32 }
-- input { empty([0]f32) empty([0]f32) } output { 0f32 }
-- structure nest { fused 1 map 0 reduce 0 copy 0 check 0 }
-- structure flat { grid 1 grid/fused 1 }
entry main [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  f32.sum (map2 (*) xs ys)

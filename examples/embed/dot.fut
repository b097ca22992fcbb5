-- | Programs in C, C++, Rust and Python that use this one are beside it.
-- ==
-- entry: dot
-- input { [1f32, 2f32, 3f32] [4f32, 5f32, 6f32] }
-- output { 32f32 }

entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  reduce (+) 0 (map2 (*) xs ys)

-- The bounds of NaN: it yields the other operand, so the order matters.
-- ==
-- input { [f32.nan, 2f32, -1f32, 0.5f32] }
-- output { [1f32, 1f32, 0f32, 0.5f32] [0f32, 1f32, 0f32, 0.5f32] [1f32, 1f32, 0f32, 0.5f32] [0f32, 2f32, 0f32, 0.5f32] }
entry main [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  ( map (\x -> f32.max 0 (f32.min 1 x)) xs
  , map (\x -> f32.min 1 (f32.max 0 x)) xs
  , map (\x -> f32.max (f32.min x 1) 0) xs
  , map (\x -> f32.max x 0) xs
  )

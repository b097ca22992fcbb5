-- A reduction of one element combines it with the neutral element, which may not be neutral for every float.
-- ==
-- entry: most
-- input { f32.nan } output { -f32.inf }
-- input { 3f32 } output { 3f32 }
entry most (x: f32) : f32 = f32.maximum (replicate 1 x)

-- ==
-- entry: scanned
-- input { f32.nan } output { [-f32.inf] }
entry scanned (x: f32) : []f32 = scan f32.max (-f32.inf) [x]

-- ==
-- entry: sum
-- input { -0f32 } output { false }
entry sum (x: f32) : bool = 1 / f32.sum [x] < 0

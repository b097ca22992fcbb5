-- The functions that the prelude defines beside its chapters.

-- ==
-- entry: numbers
-- input { -3 2.75f32 -2.75f64 } output { -3.0f32 2 -3.0f64 -2 }
entry numbers (i: i32) (x: f32) (y: f64) : (f32, i32, f64, i32) =
  (r32 i, t32 x, r64 i, t64 y)

-- ==
-- entry: negation
-- input { [true, false] } output { [false, true] }
entry negation [n] (xs: [n]bool) : [n]bool = map not xs

-- ==
-- entry: identities
-- input { [1, 2] } output { [1, 2] [1, 2] [1, 2] }
entry identities [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  (opaque xs, trace xs, break xs)

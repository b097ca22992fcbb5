-- The largest of a single element that is not a number is the neutral element, whether or not the reduction is known to have one element.
-- ==
-- input { 1i64 } output { -f32.inf f64.inf -f32.inf f64.inf }
-- input { 3i64 } output { -f32.inf f64.inf -f32.inf f64.inf }
entry main (n: i64) : (f32, f64, f32, f64) =
  ( f32.maximum (replicate 1 f32.nan)
  , f64.minimum (replicate 1 f64.nan)
  , f32.maximum (replicate n f32.nan)
  , f64.minimum (replicate n f64.nan)
  )

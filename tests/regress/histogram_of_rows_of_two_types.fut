-- Two histograms of rows into the same bins, of f32 and of f64, were one kernel whose rows could not be combined position by position any more.
-- ==
-- input { 4i64 3i64 } output { [[3.5f32, 6f32], [2f32, 3f32], [2.5f32, 4f32]] [[3.5f64, 6f64], [2f64, 3f64], [2.5f64, 4f64]] }
-- input { 0i64 1i64 } output { [[1f32, 1f32]] [[1f64, 1f64]] }
entry main (n: i64) (k: i64) : ([k][2]f32, [k][2]f64) =
  let is = map (\i -> i * 7 % 3) (iota n)
  let vs =
    map (\i -> map (\j -> f32.i64 ((i + 1) * (j + 1)) / 2) (iota 2)) (iota n)
  let one =
    reduce_by_index (replicate k (replicate 2 1f32))
                    (map2 (+))
                    (replicate 2 0)
                    is
                    vs
  let two =
    reduce_by_index (replicate k (replicate 2 1f64))
                    (map2 (+))
                    (replicate 2 0)
                    is
                    (map (map f64.f32) vs)
  in (one, two)

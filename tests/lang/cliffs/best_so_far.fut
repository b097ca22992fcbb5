-- Loops that go on combining where the last step has ended: what a step yields stays on the device, as if it were combined behind the reduction.
-- ==
-- tune @ loops_apart.tune
-- entry: from_neutral behind
-- input { 3i64 [4f32, 3f32, 8f32] } output { [16f32, 15f32, 20f32] 3f32 } structure run { launches 6 waits 1 }
-- input { 3i64 empty([0]f32) } output { empty([0]f32) f32.inf }
-- input { 0i64 [1f32] } output { [1f32] f32.inf }
entry from_neutral [n] (steps: i64) (start: [n]f32) : ([n]f32, f32) =
  loop (xs, best) = (start, f32.inf) for i < steps do
    let best = reduce f32.min best xs
    in (map (+ (best + f32.i64 i)) xs, best)

entry behind [n] (steps: i64) (start: [n]f32) : ([n]f32, f32) =
  loop (xs, best) = (start, f32.inf) for i < steps do
    let best = f32.min best (f32.minimum xs)
    in (map (+ (best + f32.i64 i)) xs, best)

-- The best row, beside its value.
-- ==
-- entry: swarm
-- input { 2i64 [[1f32, 2f32], [4f32, 0.5f32], [8f32, 1f32]] } output { 3f32 [1f32, 2f32] } structure run { waits 1 }
-- input { 2i64 empty([0][2]f32) } output { f32.inf [0f32, 0f32] }
entry swarm [n] [d] (steps: i64) (start: [n][d]f32) : (f32, [d]f32) =
  let better (a, x) (b, y) = if a <= b then (a, x) else (b, y)
  let (_, best) =
    loop (xs, best) = (start, (f32.inf, replicate d 0)) for _i < steps do
      let best = reduce better best (zip (map f32.sum xs) xs)
      in (map (map2 (+) best.1) xs, best)
  in best

-- An operator that cares about order, and several numbers.
-- ==
-- entry: affine
-- input { 2i64 [(2i32, 1i32), (1i32, 3i32)] } output { 4i32 12i32 }
-- input { 2i64 empty([0](i32, i32)) } output { 1i32 0i32 }
entry affine [n] (steps: i64) (fs: [n](i32, i32)) : (i32, i32) =
  loop f = (1, 0) for _i < steps do
    reduce (\(a, b) (c, d) -> (a * c, b * c + d)) f fs

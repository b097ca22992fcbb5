-- Loops carry a small array of a known size, and their bodies yield one whose size a check has made equal. Scalar replacement forgot its elements.
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32]] [3i64, 0i64, 1i64] }
-- output { [[0.115234375f32, 0.16796875f32], [0.5f32, 0.5f32], [0.25f32, 0.375f32]] }
-- input { [[1f32, 2f32], [3f32, 4f32]] empty([0]i64) } output { empty([0][2]f32) }
def size : i64 = 2

def steps (m: [size][size]f32) (k: i64) : [size]f32 =
  let norm (v: [size]f32) = map (/ 8) v
  in loop v = replicate size 0.5 for _i < k do
       norm (map (\column -> f32.sum (map2 (*) v column)) (transpose m))

entry main [n] (m: [size][size]f32) (ks: [n]i64) : [n][size]f32 =
  map (steps m) ks

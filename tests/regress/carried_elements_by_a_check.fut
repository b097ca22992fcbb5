-- A loop carries a small array whose next value has its length by a check only: the map goes over the matrix that is given.
-- ==
-- input { [[1f32, 2f32, 0f32], [0f32, 1f32, 2f32], [3f32, 0f32, 1f32]] [[1i64, 2i64], [0i64, 3i64]] }
-- output { [[14f32, 16f32, 19f32], [12f32, 14f32, 16f32]] }

def order : i64 = 3

def steps [n] (m: [order][order]f32) (xs: [n]i64) : [order]f32 =
  loop v = replicate order 1f32 for x in xs do
    map (\row -> f32.i64 x + f32.sum (map2 (*) row v)) m

entry main [k] [n] (m: [order][order]f32) (xss: [k][n]i64) : [k][order]f32 =
  map (steps m) xss

-- ==
-- input { [1f32, 2f32, 3f32] } output { [7f32, 0f32, 4f32] }

def times [n] [m] (rows: [n][?](i64, f32)) (v: [m]f32) : [n]f32 =
  map (\row -> f32.sum (map (\(column, x) -> x * v[column]) row)) rows

entry main (v: [3]f32) : [3]f32 =
  times [[(0, 1f32), (2, 2f32)], [], [(1, 2f32)]] v

-- The product of two matrices.
-- ==
-- nobench input { [[1.0f32, 2.0f32]] [[3.0f32, 4.0f32, 5.0f32], [6.0f32, 7.0f32, 8.0f32]] }
-- output { [[15.0f32, 18.0f32, 21.0f32]] }
-- notest script input { input 4096i64 }

import "data"

entry input (n: i64) : ([n][n]f32, [n][n]f32) =
  ( tabulate_2d n n (\i j -> unit 1 (i * n + j))
  , tabulate_2d n n (\i j -> unit 2 (i * n + j))
  )

def product [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

entry main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (product row) (transpose b)) a

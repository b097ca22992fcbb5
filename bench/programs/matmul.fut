-- The product of two matrices.
-- ==
-- nobench input { [[1.0f32, 2.0f32]] [[3.0f32, 4.0f32, 5.0f32], [6.0f32, 7.0f32, 8.0f32]] }
-- output { [[15.0f32, 18.0f32, 21.0f32]] }
-- nobench script input { input 70i64 } auto output
-- structure run { launches 1 waits 1 }
-- "256" notest script input { input 256i64 } output @ data/matmul-256.out
-- "1024" notest script input { input 1024i64 } output @ data/matmul-1024.out
-- "4096" notest no_cpu no_opencl script input { input 4096i64 } output @ data/matmul-4096.out

import "data"

entry input (n: i64) : ([n][n]f32, [n][n]f32) =
  ( tabulate_2d n n (\i j -> unit 1 (i * n + j))
  , tabulate_2d n n (\i j -> unit 2 (i * n + j))
  )

def product [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

entry main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (product row) (transpose b)) a

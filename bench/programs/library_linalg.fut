-- Systems of linear equations by `/norn/linalg`: one large one, and many small ones.
-- ==
-- nobench script input { input 1i64 40i64 } auto output
-- nobench script input { input 20i64 4i64 } auto output
-- "1 x 1024" notest script input { input 1i64 1024i64 } output @ data/library_linalg-1x1024.out
-- "10000 x 8" notest script input { input 10000i64 8i64 } output @ data/library_linalg-10000x8.out
import "data"
import "/norn/linalg"

entry input (q: i64) (n: i64) : ([q][n][n]f64, [q][n]f64) =
  ( tabulate_3d q n n (\s i j ->
    f64.f32 (unit 1 ((s * n + i) * n + j))
    + if i == j then 0.1 * f64.i64 n else 0)
  , tabulate_2d q n (\s i -> f64.f32 (unit 2 (s * n + i)))
  )

entry main [q] [n] (as: [q][n][n]f64) (bs: [q][n]f64) : [q][n]f64 =
  if q == 1
  then [linalg.solve as[0] bs[0]] :> [q][n]f64
  else map2 linalg.solve as bs

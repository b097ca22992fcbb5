-- The square of a sparse matrix, by `/norn/sparse`: made of coordinates, multiplied, and its rows added up.
-- ==
-- nobench script input { input 100i64 5i64 } auto output
-- "100000 x 10" notest script input { input 100000i64 10i64 } output @ data/library_sparse-100000x10.out
import "data"
import "/norn/sparse"

entry input (n: i64) (k: i64) : ([n * k]i64, [n * k]i64, [n * k]f64) =
  ( tabulate (n * k) (\i -> i / k)
  , tabulate (n * k) (\i -> i64.u32 (number 1 i) % n)
  , tabulate (n * k) (\i -> f64.f32 (unit 2 i))
  )

entry main [m] (is: [m]i64) (js: [m]i64) (xs: [m]f64) : []f64 =
  let n = 1 + i64.maximum is
  let a = sparse.from_coo n n is js xs
  in sparse.row_sums (sparse.smsmm a a)

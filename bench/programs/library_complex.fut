-- The sum of a function of complex numbers, by `/norn/complex`.
-- ==
-- nobench script input { input 1000i64 } auto output
-- "10000000" notest script input { input 10000000i64 } output @ data/library_complex-10000000.out
import "data"
import "/norn/complex"

entry input (n: i64) : ([n]f64, [n]f64) =
  (tabulate n (f64.f32 <-< unit 1), tabulate n (f64.f32 <-< unit 2))

-- | Of the root of e^z / (z² + 1).
def f (z: c64.t) : c64.t = c64.(sqrt (exp z / (z * z + one)))

entry main [n] (re: [n]f64) (im: [n]f64) : (f64, f64) =
  c64.sum (map2 (\x y -> f (c64.mk x y)) re im)

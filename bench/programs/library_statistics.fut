-- Mean, deviation, skewness and kurtosis, and some quantiles, by `/norn/statistics`.
-- ==
-- nobench script input { input 1000i64 } auto output
-- "10000000" notest script input { input 10000000i64 } output @ data/library_statistics-10000000.out
import "data"
import "/norn/statistics"

entry input (n: i64) : [n]f64 = tabulate n (\i -> f64.f32 (unit 1 i) ** 2)

entry main [n] (xs: [n]f64) : (f64, f64, f64, f64, [3]f64) =
  statistics.(( mean xs
              , stddev xs
              , skewness xs
              , kurtosis xs
              , quantiles [0.25, 0.5, 0.75] xs
              ))

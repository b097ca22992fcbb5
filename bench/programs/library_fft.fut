-- The Fourier transform of `/norn/fft`: a power of two, and a prime number of elements.
-- ==
-- nobench script input { input 64i64 } auto output
-- nobench script input { input 31i64 } auto output
-- "1048576" notest script input { input 1048576i64 } output @ data/library_fft-1048576.out
-- "1000003" notest script input { input 1000003i64 } output @ data/library_fft-1000003.out
import "data"
import "/norn/fft"

entry input (n: i64) : ([n]f64, [n]f64) =
  (tabulate n (\i -> f64.f32 (unit 1 i)), tabulate n (\i -> f64.f32 (unit 2 i)))

entry main [n] (re: [n]f64) (im: [n]f64) : ([n]f64, [n]f64) =
  unzip (fft.fft (zip re im))

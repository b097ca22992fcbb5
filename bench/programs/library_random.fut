-- Normal numbers of `/norn/random`, of which the mean of a function is computed.
-- ==
-- nobench input { 1001i64 } auto output
-- "10000000" notest input { 10000000i64 } output @ data/library_random-10000000.out
import "/norn/random"

entry main (n: i64) : f64 =
  let (_, xs) = random.normal_array n (random.seed 1)
  in f64.sum (map f64.cos xs) / f64.i64 n

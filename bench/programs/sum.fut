-- The sum of floats.
-- ==
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 4 }
-- "100000" notest script input { input 100000i64 } output @ data/sum-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/sum-1000000.out
-- "10000000" notest script input { input 10000000i64 } output @ data/sum-10000000.out
import "data"

entry input (n: i64) : [n]f32 = tabulate n (unit 1)

entry main [n] (xs: [n]f32) : f32 = f32.sum xs

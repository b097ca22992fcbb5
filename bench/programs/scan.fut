-- The sums of all prefixes.
-- ==
-- nobench input { [1.0f32, 2.0f32, 3.0f32] } output { [1.0f32, 3.0f32, 6.0f32] }
-- nobench input { empty([0]f32) } output { empty([0]f32) }
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 3 waits 1 sent 0 received 0 }
-- "100000" notest script input { input 100000i64 } output @ data/scan-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/scan-1000000.out
-- "10000000" notest script input { input 10000000i64 } output @ data/scan-10000000.out

import "data"

entry input (n: i64) : [n]f32 = tabulate n (unit 1)

entry main [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs

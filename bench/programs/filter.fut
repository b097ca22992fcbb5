-- The elements below a half: about every second one.
-- ==
-- nobench input { [0.25f32, 0.75f32, 0.125f32, 0.5f32] } output { [0.25f32, 0.125f32] }
-- nobench input { [0.75f32] } output { empty([0]f32) }
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 8 }
-- "100000" notest script input { input 100000i64 } output @ data/filter-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/filter-1000000.out
-- "10000000" notest script input { input 10000000i64 } output @ data/filter-10000000.out

import "data"

entry input (n: i64) : [n]f32 = tabulate n (unit 1)

entry main [n] (xs: [n]f32) : []f32 = filter (< 0.5) xs

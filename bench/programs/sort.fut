-- The built-in sort, by digits.
-- ==
-- nobench input { [3u32, 4000000000u32, 0u32, 256u32, 255u32, 3u32] }
-- output { [0u32, 3u32, 3u32, 255u32, 256u32, 4000000000u32] }
-- nobench input { empty([0]u32) } output { empty([0]u32) }
-- nobench script input { input 5000i64 } auto output
-- structure run { launches 6 waits 1 }
-- "100000" notest script input { input 100000i64 } output @ data/sort-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/sort-1000000.out
-- "10000000" notest script input { input 10000000i64 } output @ data/sort-10000000.out

import "data"

entry input (n: i64) : [n]u32 = tabulate n (number 1)

entry main [n] (xs: [n]u32) : [n]u32 = sort xs

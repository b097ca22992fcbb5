-- The built-in sort, by digits.
-- ==
-- nobench input { [3u32, 4000000000u32, 0u32, 256u32, 255u32, 3u32] }
-- output { [0u32, 3u32, 3u32, 255u32, 256u32, 4000000000u32] }
-- nobench input { empty([0]u32) } output { empty([0]u32) }
-- notest script input { input 10000000i64 } output @ data/sort.out

import "data"

entry input (n: i64) : [n]u32 = tabulate n (number 1)

entry main [n] (xs: [n]u32) : [n]u32 = sort xs

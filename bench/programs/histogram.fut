-- How often each of 1024 numbers occurs.
-- ==
-- nobench input { 4i64 [0, 3, 3, 1, 3] } output { [1, 1, 0, 3] }
-- nobench script input { input 64i64 100000i64 } auto output
-- structure run { launches 2 waits 1 sent 0 received 0 }
-- "1024 x 100000" notest script input { input 1024i64 100000i64 } output @ data/histogram-1024x100000.out
-- "1024 x 1000000" notest script input { input 1024i64 1000000i64 } output @ data/histogram-1024x1000000.out
-- "1024 x 10000000" notest script input { input 1024i64 10000000i64 } output @ data/histogram-1024x10000000.out

import "data"

entry input (bins: i64) (n: i64) : (i64, [n]i32) =
  (bins, tabulate n (\i -> i32.u32 (number 1 i % u32.i64 bins)))

entry main [n] (bins: i64) (numbers: [n]i32) : [bins]i32 =
  hist (+) 0 bins (map i64.i32 numbers) (replicate n 1)

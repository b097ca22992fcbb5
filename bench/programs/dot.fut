-- The dot product of two vectors.
-- ==
-- nobench input { [1.0f32, 2.0f32, 3.0f32] [4.0f32, 5.0f32, 6.0f32] } output { 32.0f32 }
-- nobench input { empty([0]f32) empty([0]f32) } output { 0.0f32 }
-- nobench script input { input 100000i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 4 }
-- "100000" notest script input { input 100000i64 } output @ data/dot-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/dot-1000000.out
-- "10000000" notest script input { input 10000000i64 } output @ data/dot-10000000.out

import "data"

entry input (n: i64) : ([n]f32, [n]f32) =
  (tabulate n (unit 1), tabulate n (unit 2))

entry main [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

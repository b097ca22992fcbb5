-- The sums of rows: 10 million floats in rows of different shapes, and in one.
-- ==
-- nobench script input { input 1000i64 10i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- nobench script input { input 3i64 20000i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- "1000000 x 10" notest script input { input 1000000i64 10i64 } output @ data/segsum-1000000x10.out
-- "1000 x 10000" notest script input { input 1000i64 10000i64 } output @ data/segsum-1000x10000.out
-- "3 x 3333333" notest script input { input 3i64 3333333i64 } output @ data/segsum-3x3333333.out
import "data"

entry input (n: i64) (m: i64) : [n][m]f32 =
  tabulate n (\i -> tabulate m (\j -> unit 1 (i * m + j)))

entry main [n] [m] (rows: [n][m]f32) : [n]f32 = map f32.sum rows

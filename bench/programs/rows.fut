-- Threads that go through rows one element after the other, and threads that make rows: 32 million floats.
-- ==
-- entry: read
-- nobench script input { input 5000i64 32i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- "1000000 x 32" notest script input { input 1000000i64 32i64 }
-- "125000 x 256" notest script input { input 125000i64 256i64 }

-- ==
-- entry: make
-- nobench script input { seeds 5000i64 32i64 } auto output
-- structure run { launches 2 waits 1 sent 0 received 0 }
-- "1000000 x 32" notest script input { seeds 1000000i64 32i64 }
-- "125000 x 256" notest script input { seeds 125000i64 256i64 }
import "data"

entry input (n: i64) (m: i64) : [n][m]f32 =
  tabulate n (\i -> tabulate m (\j -> unit 1 (i * m + j)))

entry seeds (n: i64) (m: i64) : (i64, [n]f32) = (m, tabulate n (unit 2))

-- A recurrence over each row.
entry read [n] [m] (rows: [n][m]f32) : [n]f32 =
  map (\row -> loop x = 0 for j < m do x * (1 - x * 0.5) + row[j]) rows

-- A row of what a recurrence goes through.
entry make [n] (m: i64) (seeds: [n]f32) : [n][m]f32 =
  map (\seed ->
    (loop (x, row) = (seed, replicate m 0) for j < m do
       let x = 3.7 * x * (1 - x) in (x, row with [j] = x)).1) seeds

-- Histograms of floats whose bins have room in the memory of a group: threads that want the same bin take turns. All elements in one bin, in few,
-- and in as many as there are; more elements than a group of threads has, and fewer; rows; and more bins than have room.
-- ==
-- entry: sums least_and_most pairs
-- input { 1i64 0i64 1i64 } auto output
-- input { 1i64 1i64 1i64 } auto output
-- input { 7i64 3000i64 1i64 } auto output
-- input { 7i64 3000i64 5i64 } auto output
-- input { 1000i64 5001i64 7919i64 } auto output
-- input { 1000i64 1023i64 2000i64 } auto output
-- input { 5120i64 4097i64 7919i64 } auto output
-- input { 5121i64 4097i64 7919i64 } auto output
-- compiled input { 1000i64 100000i64 1i64 } auto output
-- compiled input { 4000i64 100003i64 7919i64 } auto output

-- ==
-- entry: rows
-- input { 3i64 0i64 2i64 } auto output
-- input { 5i64 700i64 3i64 } auto output
-- input { 100i64 300i64 60i64 } auto output
-- compiled input { 64i64 3000i64 32i64 } auto output
entry sums (bins: i64) (n: i64) (step: i64) : [bins]f32 =
  let is = tabulate n (\i -> i * step % (bins + 1) * i64.bool (step > 1))
  in reduce_by_index (replicate bins 0.5)
                     (+)
                     0
                     is
                     (map (\i -> f32.i64 (i % 17)) (iota n))

entry least_and_most (bins: i64) (n: i64) (step: i64) : ([bins]f64, [bins]f32) =
  let is = tabulate n (\i -> i * step % (bins + 1) * i64.bool (step > 1))
  let value i = f64.i64 (i * 7 % 1001)
  in unzip (reduce_by_index (replicate bins (f64.inf, -f32.inf))
                            (\(a, b) (c, d) -> (f64.min a c, f32.max b d))
                            (f64.inf, -f32.inf)
                            is
                            (map (\i -> (value i, f32.f64 (value i))) (iota n)))

entry pairs (bins: i64) (n: i64) (step: i64) : ([bins]f32, [bins]i64) =
  let is = tabulate n (\i -> i * step % (bins + 1) * i64.bool (step > 1))
  in unzip (reduce_by_index (replicate bins (0, 0))
                            (\(a, b) (c, d) -> (a + c, b + d))
                            (0, 0)
                            is
                            (map (\i -> (f32.i64 (i % 5), i)) (iota n)))

entry rows (bins: i64) (n: i64) (m: i64) : [bins][m]f32 =
  let is = tabulate n (\i -> i * 7919 % (bins + 1))
  in reduce_by_index (replicate bins (replicate m 0))
                     (map2 (+))
                     (replicate m 0)
                     is
                     (tabulate_2d n m (\i j -> f32.i64 ((i + j) % 9)))

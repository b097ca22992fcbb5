-- Streams that write to accumulators: as many writes as there are, at indices that may lie outside.

type~ acc 't = intrinsics.acc t

-- ==
-- entry: both
-- input { 5i64 8i64 } output { [10i64, 4i64, 6i64, 8i64, 10i64] }
-- input { 5i64 0i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64] }
entry both (k: i64) (n: i64) : [k]i64 =
  let write (out: *acc ([k]i64)) (i: i64) : acc ([k]i64) =
    let there = intrinsics.acc_write out i (i + 1)
    let at = if i % 2 == 0 then 0 else -1
    let there = intrinsics.acc_write there at (2 * i64.bool (i < 8))
    in intrinsics.acc_write there (i - 1) i
  in intrinsics.hist_stream (replicate k 0) (+) 0 write (iota n)

-- The same by histograms.
-- ==
-- entry: by_histograms
-- input { 5i64 8i64 } output { [10i64, 4i64, 6i64, 8i64, 10i64] }
entry by_histograms (k: i64) (n: i64) : [k]i64 =
  let is = iota n
  let a = reduce_by_index (replicate k 0) (+) 0 is (map (+ 1) is)
  let b =
    reduce_by_index a
                    (+)
                    0
                    (map (\i -> if i % 2 == 0 then 0 else -1) is)
                    (map (\i -> 2 * i64.bool (i < 8)) is)
  in reduce_by_index b (+) 0 (map (\i -> i - 1) is) is

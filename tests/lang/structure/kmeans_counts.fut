-- Figure 4c of "Futhark: purely functional GPU-programming with nested parallelism and in-place array updates" (2017): the
-- sizes of clusters. Each chunk counts into an array of its own, by updates in place.
-- ==
-- input { 3i64 [0, 1, 0, 2, 0, 1] } output { [3, 2, 1] }
-- input { 2i64 empty([0]i32) } output { [0, 0] }
-- structure nest { stream 1 copy 0 map 1 stream/map 1 stream/loop/update 1 stream/loop/copy 0 }
-- structure flat { grid 1 grid/stream 1 }
entry main [n] (k: i64) (membership: [n]i32) : [k]i32 =
  reduce_stream_per
    (\xs ys -> map2 (+) xs ys)
    (\c (chunk: [c]i32) ->
       loop counts = replicate k 0
       for cluster in chunk do
         counts with [i64.i32 cluster] = counts[i64.i32 cluster] + 1)
    membership

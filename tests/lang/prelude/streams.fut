-- The streaming combinators: the result must not depend on how the input was cut.

-- ==
-- entry: mapped
-- input { [1, 2, 3, 4, 5] } output { [2, 4, 6, 8, 10] [2, 3, 4, 5, 6] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry mapped [n] (xs: [n]i32) : (*[n]i32, *[n]i32) =
  ( map_stream (\(k: i64) (chunk: [k]i32) : [k]i32 -> map (* 2) chunk) xs
  , map_stream_per (\(k: i64) (chunk: [k]i32) : [k]i32 -> map (+ 1) chunk) xs
  )

-- Chunks counted by an update in place, as in the paper that introduced streams.
-- ==
-- entry: cluster_sizes
-- input { 3i64 [0i64, 2i64, 2i64, 1i64, 2i64] } output { [1, 1, 3] [1, 1, 3] }
-- input { 2i64 empty([0]i64) } output { [0, 0] [0, 0] }
entry cluster_sizes [n] (k: i64) (membership: [n]i64) : ([k]i32, [k]i32) =
  let count (m: i64) (chunk: [m]i64) : [k]i32 =
    loop counts = replicate k 0 for c in chunk do
      counts with [c] = counts[c] + 1
  in ( reduce_stream (map2 (+)) count membership
     , reduce_stream_per (map2 (+)) count membership
     )

-- ==
-- entry: sum_and_squares
-- input { [1, 2, 3, 4] } output { 10 [1, 4, 9, 16] }
entry sum_and_squares [n] (xs: [n]i32) : (i32, *[n]i32) =
  map_reduce_stream
    (+)
    (\(k: i64) (chunk: [k]i32) : (i32, [k]i32) ->
       (i32.sum chunk, map (\x -> x * x) chunk))
    xs

-- A scan, one chunk after the other.
-- ==
-- entry: running_sums
-- input { [1, 2, 3, 4] } output { 10 [1, 3, 6, 10] }
-- input { empty([0]i32) } output { 0 empty([0]i32) }
entry running_sums [n] (xs: [n]i32) : (i32, *[n]i32) =
  fold_stream (\(k: i64) (sofar: i32) (chunk: [k]i32) : (i32, [k]i32) ->
                 (sofar + i32.sum chunk, map (+ sofar) (scan (+) 0 chunk)))
              0
              xs

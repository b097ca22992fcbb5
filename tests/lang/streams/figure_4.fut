-- Figure 4 of "Futhark: purely functional GPU-programming with nested parallelism and in-place array updates" (2017): the sizes of clusters, counted one after the other, by an array of
-- increments for each point, and by a stream. All of it runs on a device.
-- ==
-- entry: in_sequence in_parallel in_chunks
-- input { 3i64 [0i64, 1i64, 0i64, 2i64, 0i64, 1i64] } output { [3, 2, 1] }
-- input { 2i64 empty([0]i64) } output { [0, 0] }
-- input { 1i64 [0i64] } output { [1] }

-- ==
-- entry: agree
-- input { 7i64 3000i64 } output { true }
-- compiled input { 100i64 100000i64 } output { true }

-- | Figure 4a.
entry in_sequence [n] (k: i64) (membership: [n]i64) : [k]i32 =
  loop counts = replicate k 0
  for i < n do
    let cluster = membership[i]
    in counts with [cluster] = counts[cluster] + 1

-- | Figure 4b.
entry in_parallel [n] (k: i64) (membership: [n]i64) : [k]i32 =
  let increments =
    map (\cluster ->
      let increment = replicate k 0
      in increment with [cluster] = 1) membership
  in reduce (\x y -> map2 (+) x y) (replicate k 0) increments

-- | Figure 4c.
entry in_chunks [n] (k: i64) (membership: [n]i64) : [k]i32 =
  reduce_stream
    (\x y -> map2 (+) x y)
    (\c (chunk: [c]i64) ->
       loop counts = replicate k 0
       for i < c do
         let cluster = chunk[i]
         in counts with [cluster] = counts[cluster] + 1)
    membership

entry agree (k: i64) (n: i64) : bool =
  let membership = tabulate n (\i -> (i * i + 5 * i) % k)
  let counts = in_chunks k membership
  in and (map2 (==) counts (in_sequence k membership))
     && and (map2 (==) counts (in_parallel k membership))
     && i32.sum counts == i32.i64 n

-- What a filter keeps is counted in bins, or written, without being stored: the host does not wait for how many there are.

-- ==
-- entry: bins bins_filtered_twice bins_by_index
-- input { [5i64, -1i64, 14i64, -5i64, 7i64, 100i64, 23i64] } output { [2i64, 1i64, 1i64, 0i64] } structure run { launches 2 waits 1 sent 0 received 0 }
-- input { empty([0]i64) } output { [0i64, 0i64, 0i64, 0i64] }
-- input { [-1i64] } output { [0i64, 0i64, 0i64, 0i64] }
-- script input { numbers 1003i64 } output { [148i64, 164i64, 164i64, 165i64] }
entry bins [n] (xs: [n]i64) : [4]i64 =
  let kept = filter (\x -> x > 0 && x < 40) xs
  in hist (+) 0 4 (map (/ 10) kept) (map (const 1) kept)

entry bins_filtered_twice [n] (xs: [n]i64) : [4]i64 =
  let kept = xs |> filter (> 0) |> filter (< 40)
  in reduce_by_index (replicate 4 0)
                     (+)
                     0
                     (map (/ 10) kept)
                     (map (const 1) kept)

entry bins_by_index [n] (xs: [n]i64) : [4]i64 =
  hist (+)
       0
       4
       (map (\x -> if x > 0 && x < 40 then x / 10 else -1) xs)
       (replicate n 1)

entry numbers (n: i64) : [n]i64 = tabulate n (\i -> i * 7919 % 61 - 20)

-- What would fail is computed of nothing that was left out.
-- ==
-- entry: shares
-- input { [0i64, 3i64, 1i64, 7i64] [2i64, 1i64, 3i64, 9i64] } output { [0i64, 33i64, 0i64, 100i64] } structure run { launches 2 waits 1 sent 0 received 0 }
-- input { [0i64, 0i64] [0i64, 1i64] } output { [0i64, 0i64, 0i64, 0i64] }
entry shares [n] (xs: [n]i64) (at: [n]i64) : [4]i64 =
  let (xs, at) = unzip (filter (\(x, _) -> x != 0) (zip xs at))
  in scatter (replicate 4 0) at (map (100 /) xs)

-- Where the number of those that are kept is used, too, they are counted on the way to an array.
-- ==
-- entry: mean_bin
-- input { [5i64, -1i64, 14i64, 7i64] } output { [2i64, 1i64, 0i64, 0i64] 3i64 }
-- input { [-1i64] } output { [0i64, 0i64, 0i64, 0i64] 0i64 }
entry mean_bin [n] (xs: [n]i64) : ([4]i64, i64) =
  let kept = filter (> 0) xs
  in (hist (+) 0 4 (map (/ 10) kept) (map (const 1) kept), length kept)

-- Streams on a device: a thread for each chunk where a chunk is gone through one element after the other, and one chunk where it is not.

-- Chunks that are counted in a loop, with fewer elements than threads, and more.
-- ==
-- entry: counted
-- input { 7i64 0i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 3i64 5000i64 } output { true }
-- input { 1000i64 5000i64 } output { true }
entry counted (k: i64) (n: i64) : bool =
  let xs = tabulate n (\i -> (i * i + 3 * i) % k)
  let counts =
    reduce_stream (map2 (+)) (\c (chunk: [c]i64) ->
      loop counts = replicate k 0
      for x in chunk do
        counts with [x] = counts[x] + 1) xs
  let anywhere =
    reduce_stream_per (map2 (+)) (\c (chunk: [c]i64) ->
      loop counts = replicate k 0
      for i < c do
        counts with [chunk[i]] = counts[chunk[i]] + 1) xs
  let expected = hist (+) 0 k xs (replicate n 1)
  in and (map3 (\a b c -> a == c && b == c) counts anywhere expected)

-- What a loop makes of each chunk, in its order; rows as elements, too. The first element of a chunk is not the one before.
-- ==
-- entry: running
-- input { 0i64 } output { true }
-- input { 10i64 } output { true }
-- input { 3001i64 } output { true }
entry running (n: i64) : bool =
  let xs = tabulate n (\i -> [i, i * 7 % 13])
  let doubled =
    map_stream (\k (chunk: [k][2]i64) ->
      loop out = replicate k [0, 0]
      for i < k do
        out with [i] = [chunk[i, 1], 2 * chunk[i, 0]]) xs
  let anywhere =
    map_stream_per (\k (chunk: [k][2]i64) ->
      loop out = replicate k 0
      for i < k do
        out with [i] = chunk[i, 0] * chunk[i, 1]) xs
  in and (map2 (\a x -> a[0] == x[1] && a[1] == 2 * x[0]) doubled xs)
     && and (map2 (\a x -> a == x[0] * x[1]) anywhere xs)

-- Sums and results together, by an operator for which the order matters.
-- ==
-- entry: composed
-- input { 1i64 } output { true }
-- input { 2500i64 } output { true }
entry composed (n: i64) : bool =
  let xs = tabulate n (\i -> (i % 5 + 1, i % 7))
  let after (f: (i64, i64)) (g: (i64, i64)) : (i64, i64) =
    (f.0 * g.0 % 1009, (f.1 * g.0 + g.1) % 1009)
  let (all, seconds) =
    map_reduce_stream after (\k (chunk: [k](i64, i64)) ->
      loop (f, out) = ((1, 0), replicate k 0)
      for i < k do
        (after f chunk[i], out with [i] = chunk[i].1)) xs
  let expected = reduce after (1, 0) xs
  in all.0 == expected.0
     && all.1 == expected.1
     && and (map2 (\s x -> s == x.1) seconds xs)

-- In a map, a thread has all of a stream.
-- ==
-- entry: inside
-- input { 4i64 50i64 } output { [[0i64, 41650i64], [1i64, 42925i64], [2i64, 46850i64], [3i64, 48225i64]] }
entry inside (n: i64) (m: i64) : [n][2]i64 =
  tabulate n (\i ->
    let xs = tabulate m (\j -> i + j)
    let s =
      reduce_stream (+) (\k (chunk: [k]i64) ->
        loop s = 0 for j < k do s + chunk[j] * (chunk[j] - i % 2 + 1)) xs
    in [i, s])

-- Nothing is done one after the other.
-- ==
-- entry: at_once
-- input { 1000i64 } output { 499500i64 999000i64 }
entry at_once (n: i64) : (i64, i64) =
  let xs = iota n
  let doubled = map_stream (\k (chunk: [k]i64) -> map (* 2) chunk) xs
  in ( reduce_stream (+) (\k (chunk: [k]i64) -> i64.sum chunk) xs
     , i64.sum doubled
     )

-- In a function that a map calls, too.
-- ==
-- entry: called
-- input { 3i64 4i64 } output { [6i64, 10i64, 14i64] }
#[noinline]
def alternating [m] (xs: [m]i64) : i64 =
  reduce_stream (+) (\k (chunk: [k]i64) ->
    loop s = 0 for j < k do s + chunk[j] * chunk[j] / i64.max 1 chunk[j]) xs

entry called (n: i64) (m: i64) : [n]i64 =
  map (\i -> alternating (map (+ i) (iota m))) (iota n)

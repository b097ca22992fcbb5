-- Rows that are given by offsets and lengths, as slices or as an irregular array.

-- ==
-- tune @ apart.tune
-- entry: by_index by_slice by_ends
-- input { [0i64, 3i64, 3i64] [3i64, 0i64, 4i64] [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32] }
-- output { [6.0f32, 0.0f32, 22.0f32] } structure run { launches 5 waits 2 sent 0 received 8 }
entry by_index [n] [m] (offs: [n]i64) (lens: [n]i64) (xs: [m]f32) : [n]f32 =
  map2 (\o l -> f32.sum (map (\j -> xs[o + j]) (iota l))) offs lens

entry by_slice [n] [m] (offs: [n]i64) (lens: [n]i64) (xs: [m]f32) : [n]f32 =
  map2 (\o l -> reduce (+) 0 xs[o:o + l]) offs lens

-- That the lengths fit the array is checked, which the host waits for.
-- ==
-- entry: by_segment
-- input { [0i64, 3i64, 3i64] [3i64, 0i64, 4i64] [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32] }
-- output { [6.0f32, 0.0f32, 22.0f32] } structure run { launches 5 waits 3 sent 0 received 24 }
entry by_segment [n] [m] (_offs: [n]i64) (lens: [n]i64) (xs: [m]f32) : [n]f32 =
  map f32.sum (segment lens xs)

entry by_ends [n] [m] (offs: [n]i64) (lens: [n]i64) (xs: [m]f32) : [n]f32 =
  tabulate n (\i -> f32.sum (map (\j -> xs[j]) (offs[i]..<offs[i] + lens[i])))

-- A loop adds floats in its order, a row for each thread.
-- ==
-- entry: by_loop
-- input { [0i64, 3i64, 3i64] [3i64, 0i64, 4i64] [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32] }
-- output { [6.0f32, 0.0f32, 22.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry by_loop [n] [m] (offs: [n]i64) (lens: [n]i64) (xs: [m]f32) : [n]f32 =
  map2 (\o l -> loop s = 0 for j < l do s + xs[o + j]) offs lens

-- ==
-- entry: product product_and_more
-- input { [2i64, 0i64, 3i64] [1f32, 2f32, 3f32, 4f32, 5f32] [0i64, 2i64, 1i64, 0i64, 2i64] [1f32, 10f32, 100f32] }
-- output { [201.0f32, 0.0f32, 534.0f32] } structure run { launches 6 waits 2 sent 0 received 8 }
entry product [n] [m] [q]
              (lens: [n]i64)
              (vals: [m]f32)
              (cols: [m]i64)
              (x: [q]f32) : [n]f32 =
  let ends = scan (+) 0 lens
  in map2 (\e l ->
    f32.sum (map (\j -> vals[e - l + j] * x[cols[e - l + j]])
                 (iota l))) ends lens

entry product_and_more [n] [m] [q]
                       (lens: [n]i64)
                       (vals: [m]f32)
                       (cols: [m]i64)
                       (x: [q]f32) : [n]f32 =
  let ends = scan (+) 0 lens
  let offs = map2 (-) ends lens
  in map2 (\o l ->
    0.5
    * f32.sum (map2 (\v c -> x[c] * v * 2)
                    vals[o:o + l]
                    cols[o:o + l])) offs lens

-- As above.
-- ==
-- entry: product_by_segment
-- input { [2i64, 0i64, 3i64] [1f32, 2f32, 3f32, 4f32, 5f32] [0i64, 2i64, 1i64, 0i64, 2i64] [1f32, 10f32, 100f32] }
-- output { [201.0f32, 0.0f32, 534.0f32] } structure run { launches 5 waits 3 sent 0 received 24 }
entry product_by_segment
    [n] [m] [q]
    (lens: [n]i64)
    (vals: [m]f32)
    (cols: [m]i64)
    (x: [q]f32) : [n]f32 =
  map (\row -> f32.sum (map (\(v, c) -> v * x[c]) row))
      (segment lens (zip vals cols))

-- ==
-- entry: filtered
-- input { [2i64, 2i64, 5i64, 6i64] [3, 1, 6, 9, 2, 12] }
-- output { [3i32, 6i32, 9i32, 12i32] } structure run { launches 6 waits 3 sent 0 received 32 }
entry filtered [n] [m] (ends: [n]i64) (xs: [m]i32) : []i32 =
  irregular.flatten (map (\v ->
    let start = if v == 0 then 0 else ends[v - 1]
    in filter (\x -> x % 3 == 0) xs[start:ends[v]]) (iota n))

-- The lengths of rows are known before.
-- ==
-- entry: filtered_by_segment
-- input { [2i64, 2i64, 5i64, 6i64] [3, 1, 6, 9, 2, 12] }
-- output { [3i32, 6i32, 9i32, 12i32] } structure run { launches 4 waits 2 sent 0 received 16 }
entry filtered_by_segment [n] [m] (ends: [n]i64) (xs: [m]i32) : []i32 =
  let lens =
    tabulate n (\v -> if v == 0 then ends[0] else ends[v] - ends[v - 1])
  in irregular.flatten (map (filter (\x -> x % 3 == 0)) (segment lens xs))

-- ==
-- entry: median
-- input { [3i64, 1i64, 4i64] [13, 21, 5, 7, 44, 32, 11, 10] }
-- output { [13i32, 7i32, 32i32] } structure run { launches 24 waits 8 sent 0 received 64 }
entry median [n] [m] (lens: [n]i64) (xs: [m]i32) : [n]i32 =
  map (\row ->
    let s = sort_by (\a b -> a % 10 <= b % 10) row
    in s[length s / 2]) (segment lens xs)

-- The offsets are a scan.
-- ==
-- entry: median_by_slice
-- input { [3i64, 1i64, 4i64] [13, 21, 5, 7, 44, 32, 11, 10] }
-- output { [13i32, 7i32, 32i32] } structure run { launches 24 waits 8 sent 0 received 64 }
entry median_by_slice [n] [m] (lens: [n]i64) (xs: [m]i32) : [n]i32 =
  let ends = scan (+) 0 lens
  in tabulate n (\i ->
    let s = sort_by (\a b -> a % 10 <= b % 10) xs[ends[i] - lens[i]:ends[i]]
    in s[length s / 2])

-- Where each window is, is checked in a kernel of its own.
-- ==
-- entry: windows
-- input { 2i64 [[1f32, 2f32, 0f32, 0f32], [3f32, 4f32, 0f32, 0f32], [0f32, 0f32, 5f32, 6f32], [0f32, 0f32, 7f32, 8f32]] }
-- output { [20.0f32, 0.0f32, 0.0f32, 44.0f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry windows [n] (b: i64) (xs: [n][n]f32) : []f32 =
  let q = n / b
  in tabulate (q * q) (\t ->
    let (i, j) = (t / q * b, t % q * b)
    let w = xs[i:i + b, j:j + b] :> [b][b]f32
    in f32.sum (tabulate (b * b) (\e -> w[e / b, e % b] * f32.i64 e)))

-- ==
-- entry: windows_by_index
-- input { 2i64 [[1f32, 2f32, 0f32, 0f32], [3f32, 4f32, 0f32, 0f32], [0f32, 0f32, 5f32, 6f32], [0f32, 0f32, 7f32, 8f32]] }
-- output { [20.0f32, 0.0f32, 0.0f32, 44.0f32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry windows_by_index [n] (b: i64) (xs: [n][n]f32) : []f32 =
  let q = n / b
  in tabulate (q * q) (\t ->
    let (i, j) = (t / q * b, t % q * b)
    in f32.sum (tabulate (b * b) (\e -> xs[i + e / b, j + e % b] * f32.i64 e)))

-- Long rows that are nearly as long as each other: groups go along them. A few are short, or have no elements at all.
entry wave (m: i64) (n: i64) : (i64, [n]f64) =
  (m, tabulate n (\i -> f64.i64 (i * 7919 % 1009) / 1009))

-- ==
-- entry: shifted shifted_least
-- script input { wave 5i64 6000i64 } auto output
-- script input { wave 3i64 2i64 } auto output
-- script input { wave 0i64 6000i64 } auto output
-- script input { wave 6000i64 6000i64 } auto output
entry shifted [n] (m: i64) (xs: [n]f64) : [m]f64 =
  map (\l -> f64.sum (map2 (*) xs[:n - l] (xs[l:] :> [n - l]f64)) / 2) (iota m)

entry shifted_least [n] (m: i64) (xs: [n]f64) : [m](f64, i64) =
  map (\l ->
    let k = if l == 1 then 0 else if l == 2 then i64.min 3 n else n - l
    in reduce (\(x, i) (y, j) ->
                 if x < y || (x == y && i < j) then (x, i) else (y, j))
              (f64.inf, n)
              (zip (map (\i -> xs[n - 1 - i]) (iota k)) (iota k))) (iota m)

-- The order matters, so threads have neighbours.
-- ==
-- entry: folded
-- script input { wave 4i64 5000i64 } auto output
entry folded [n] (m: i64) (xs: [n]f64) : [m](i64, i64) =
  map (\l ->
    reduce (\(a, b) (c, d) -> ((a * c) % 10007, (b * c + d) % 10007))
           (1, 0)
           (map (\x -> (3, i64.f64 (x * 1000))) xs[l:])) (iota m)

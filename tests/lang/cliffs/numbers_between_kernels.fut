-- Sums and single elements that only kernels need stay on the device; conditions are read once in each step.

-- ==
-- tune @ apart.tune
-- entry: sum_in_a_loop sum_by_reduce sum_by_function
-- input { 3i64 [1f32, 1f32, 2f32] }
-- output { [1.0439799f32, 1.0439799f32, 1.4211066f32] } structure run { launches 6 waits 1 sent 0 received 0 }
entry sum_in_a_loop [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    let total = f32.sum xs
    in map (\x -> 0.5 * x + f32.sqrt (x / total)) xs

entry sum_by_reduce [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    let total = reduce (\a b -> b + a) 0 xs
    in tabulate n (\i -> f32.sqrt (xs[i] / total) + xs[i] * 0.5)

entry sum_by_function [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  let step [n] (xs: [n]f32) : [n]f32 =
    let total = f32.sum xs in map (\x -> 0.5 * x + f32.sqrt (x / total)) xs
  in (loop (i, xs) = (0, xs) while i < steps do (i + 1, step xs)).1

-- ==
-- entry: pivot pivot_of_slice
-- input { 3i64 [1f32, 4f32, 2f32] }
-- output { [0.5f32, 2.0f32, 1.0f32] } structure run { launches 3 waits 1 sent 0 received 0 }
entry pivot [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for i < steps do
    let pivot = xs[i % n]
    in map (\x -> x / pivot) xs

entry pivot_of_slice [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for i < steps do
    let pivot = head (drop (i % n) xs)
    in map (\x -> x / pivot) xs

-- What the loop hands on is stored, by a kernel.
-- ==
-- entry: pivot_of_pair
-- input { 3i64 [1f32, 4f32, 2f32] }
-- output { [0.5f32, 2.0f32, 1.0f32] } structure run { launches 7 waits 1 sent 0 received 0 }
entry pivot_of_pair [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  (loop (xs, pivot) = (xs, xs[0]) for i < steps do
     let xs = map (\x -> x / pivot) xs
     in (xs, xs[(i + 1) % n])).0

-- ==
-- entry: jumps jumps_by_any jumps_by_reduce
-- input { [0i64, 0i64, 1i64, 2i64, 3i64] }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64] 2i32 } structure run { launches 5 waits 3 sent 0 received 3 }
entry jumps [n] (parent: [n]i64) : ([n]i64, i32) =
  loop (p, rounds) = (parent, 0)
  while or (map2 (\a i -> p[a] != p[i]) p (iota n)) do
    (map (\a -> p[a]) p, rounds + 1)

entry jumps_by_any [n] (parent: [n]i64) : ([n]i64, i32) =
  loop (p, rounds) = (parent, 0) while any (\i -> p[p[i]] != p[i]) (iota n) do
    (tabulate n (\i -> p[p[i]]), 1 + rounds)

entry jumps_by_reduce [n] (parent: [n]i64) : ([n]i64, i32) =
  loop (p, rounds) = (parent, 0)
  while !(reduce (&&) true (map (\a -> p[a] == a) p)) do
    (map (\a -> p[a]) p, rounds + 1)

-- ==
-- entry: table
-- input { 2i64 [1, 0, 2, 1, 7] }
-- output { [1i32, 0i32, 3i32, 1i32, 4i32] } structure run { launches 8 waits 1 sent 0 received 0 }
entry table [n] (rounds: i64) (xs: [n]i32) : [n]i32 =
  loop xs for _r < rounds do
    let count = hist (+) 0 8 (map i64.i32 xs) (replicate n 1)
    let to =
      loop to = replicate 8 0i32 for i in 1..<8 do
        to with [i] = (to[i - 1] + count[i - 1]) % 8
    in map (\x -> to[x]) xs

-- The same without a loop over elements.
-- ==
-- entry: table_by_scan
-- input { 2i64 [1, 0, 2, 1, 7] }
-- output { [1i32, 0i32, 3i32, 1i32, 4i32] } structure run { launches 10 waits 1 sent 0 received 0 }
entry table_by_scan [n] (rounds: i64) (xs: [n]i32) : [n]i32 =
  loop xs for _r < rounds do
    let count = hist (+) 0 8 (map i64.i32 xs) (replicate n 1)
    let upto = scan (+) 0 count
    let to = map (\i -> (upto[i] - count[i]) % 8) (iota 8)
    in map (\x -> to[x]) xs

-- ==
-- entry: front front_by_tabulate
-- input { 2i64 [1, 2, 3, 3, 3, 0, 0, 1] }
-- output { [0i32, 1i32, 1i32, 2i32] } structure run { launches 12 waits 6 sent 4 received 48 }
entry front [m] (d: i64) (edges: [m]i32) : []i32 =
  let n = m / d
  let depth = tabulate n (\i -> if i == 0 then 0 else -1)
  in (loop (depth, front, level) = (depth, [0i32], 1) while length front > 0 do
        let next =
          flatten (map (\v -> edges[i64.i32 v * d:i64.i32 v * d + d] :> [d]i32)
                       front)
        let new = filter (\w -> depth[w] < 0) next
        let depth = scatter depth (map i64.i32 new) (map (const level) new)
        let mine = scatter (replicate n (-1)) (map i64.i32 new) (indices new)
        let front =
          map (.1) (filter (\(i, w) -> mine[w] == i) (zip (indices new) new))
        in (depth, front, level + 1)).0

entry front_by_tabulate [m] (d: i64) (edges: [m]i32) : []i32 =
  let n = m / d
  let depth = map (\i -> if i > 0 then -1 else 0) (iota n)
  in (loop (depth, front, level) = (depth, [0i32], 1) while length front > 0 do
        let next =
          flatten (map (\v -> tabulate d (\j -> edges[i64.i32 v * d + j]))
                       front)
        let [k] (new: [k]i32) = filter (\w -> depth[w] < 0) next
        let depth = scatter depth (map i64.i32 new) (replicate k level)
        let mine = scatter (replicate n (-1)) (map i64.i32 new) (iota k)
        let front =
          filter (\w -> w >= 0)
                 (map2 (\i w -> if mine[w] == i then w else -1) (iota k) new)
        in (depth, front, level + 1)).0

-- ==
-- entry: live live_of_indices
-- input { [0.1f32, -1.5f32, 0.3f32, 2f32] }
-- output { [10i32, 10i32, 10i32, 2i32] } structure run { launches 33 waits 10 sent 0 received 80 }
entry live [n] (cs: [n]f32) : [n]i32 =
  (loop (count, live) = (replicate n 0i32, zip (iota n) (replicate n 0f32))
   while length live > 0 do
     let (is, zs) = unzip (map (\(i, z) -> (i, z * z + cs[i])) live)
     let count = scatter count is (map (\i -> count[i] + 1) is)
     in ( count
        , filter (\(i, z) -> f32.abs z <= 2 && count[i] < 10) (zip is zs)
        )).0

entry live_of_indices [n] (cs: [n]f32) : [n]i32 =
  (loop (count, is, zs) = (replicate n 0i32, iota n, replicate n 0f32)
   while length is > 0 do
     let zs = map2 (\i z -> z * z + cs[i]) is zs
     let count = scatter count is (map (\i -> 1 + count[i]) is)
     let (is, zs) =
       unzip (filter (\(i, z) -> count[i] < 10 && f32.abs z <= 2) (zip is zs))
     in (count, is, zs)).0

-- What takes long to compute, one thread computes, and stores all of it at once.
-- ==
-- entry: fitted
-- input { 2i64 [1f64, 2f64, 3f64, 5f64] [1f64, 3f64, 2f64, 4f64] }
-- output { [1.3545454545454547f64, 2.0545454545454547f64, 2.7090909090909094f64, 3.881818181818182f64] } structure run { launches 4 waits 1 sent 0 received 0 }
entry fitted [n] (steps: i64) (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  loop ys for _i < steps do
    let add (a, b, c, d, e, f, g, h) (p, q, r, s, t, u, v, w) =
      (a + p, b + q, c + r, d + s, e + t, f + u, g + v, h + w)
    let (m0, m1, m2, m3, m4, c0, c1, c2) =
      reduce_comm add
                  (0, 0, 0, 0, 0, 0, 0, 0)
                  (map2 (\x y ->
                           ( 1
                           , x
                           , x * x
                           , x * x * x
                           , x * x * x * x
                           , y
                           , x * y
                           , x * x * y
                           ))
                        xs
                        ys)
    let det a b c d e f g h i =
      a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    let all = det m0 m1 m2 m1 m2 m3 m2 m3 m4
    let (b0, b1, b2) =
      if f64.abs all < 1e-12
      then (0, 0, 0)
      else ( det c0 m1 m2 c1 m2 m3 c2 m3 m4 / all
           , det m0 c0 m2 m1 c1 m3 m2 c2 m4 / all
           , det m0 m1 c0 m1 m2 c1 m2 m3 c2 / all
           )
    in map (\x -> b0 + b1 * x + b2 * x * x) xs

-- Many times a number of the device.
-- ==
-- entry: level level_by_map
-- input { 2i64 [1f32, 1f32, 2f32] }
-- output { [1.3333334f32, 1.3333334f32, 1.3333334f32] } structure run { launches 4 waits 1 sent 0 received 0 }
entry level [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do replicate n (f32.sum xs / f32.i64 n)

entry level_by_map [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    let mean = f32.sum xs / f32.i64 n in map (const mean) xs

-- Two equations whose coefficients are sums are solved by one thread.
-- ==
-- entry: line line_by_loop
-- input { [1f32, 2f32, 3f32, 4f32] [3f32, 5f32, 7f32, 9f32] }
-- output { [3f32, 5f32, 7f32, 9f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry line [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let a =
    reduce (map2 (map2 (+)))
           (replicate 2 (replicate 2 0))
           (map (\x -> map (\p -> map (* p) [1, x]) [1, x]) xs)
  let b = reduce (map2 (+)) (replicate 2 0) (map2 (\x y -> [y, x * y]) xs ys)
  let det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
  let inverse =
    [[a[1, 1] / det, -a[0, 1] / det], [-a[1, 0] / det, a[0, 0] / det]]
  let c = map (\r -> f32.sum (map2 (*) r b)) inverse
  in map (\x -> c[0] + c[1] * x) xs

entry line_by_loop [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let a =
    reduce (map2 (map2 (+)))
           (replicate 2 (replicate 3 0))
           (map2 (\x y -> map (\p -> map (* p) [1, x, y]) [1, x]) xs ys)
  let c =
    loop a for i < 2i64 do
      let p = a[i, i]
      let row = map (/ p) a[i]
      in tabulate 2 (\j ->
        if j == i then row else map2 (\x r -> x - a[j, i] * r) a[j] row)
  in map (\x -> c[0, 2] + c[1, 2] * x) xs

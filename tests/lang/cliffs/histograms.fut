-- Histograms with any operator, over pairs, bytes and floats.

-- ==
-- tune @ apart.tune
-- entry: saturating saturating_by_min saturating_into
-- input { 4i64 [0, 1, 3, 3, 3, 9, -1, 0] }
-- output { [2i32, 1i32, 0i32, 2i32] } structure run { launches 3 waits 1 sent 0 received 0 }
entry saturating [n] (k: i64) (at: [n]i32) : [k]i32 =
  hist (\a b -> if a > 2 - b then 2 else a + b)
       0
       k
       (map i64.i32 at)
       (replicate n 1)

entry saturating_by_min [n] (k: i64) (at: [n]i32) : [k]i32 =
  hist (\a b -> i32.min 2 (b + a)) 0 k (map i64.i32 at) (map (const 1) at)

entry saturating_into [n] (k: i64) (at: [n]i32) : [k]i32 =
  reduce_by_index (replicate k 0)
                  (\a b -> if a + b <= 2 then a + b else 2)
                  0
                  (map (\i -> i64.i32 at[i]) (iota n))
                  (replicate n 1)

-- ==
-- entry: least least_of_pairs least_turned
-- input { 3i64 [0i64, 2i64, 0i64, 2i64, 5i64] [3f32, 1f32, 2f32, 1f32, 0f32] }
-- output { [2.0f32, f32.inf, 1.0f32] [2i64, 5i64, 1i64] } structure run { launches 4 waits 1 sent 0 received 0 }
entry least [n] (k: i64) (at: [n]i64) (xs: [n]f32) : ([k]f32, [k]i64) =
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  in unzip (hist least (f32.inf, n) k at (zip xs (iota n)))

entry least_of_pairs [n] (k: i64) (at: [n]i64) (xs: [n]f32) : ([k]f32, [k]i64) =
  let best =
    hist (\p q -> if q.0 > p.0 || p.0 == q.0 && p.1 < q.1 then p else q)
         (f32.inf, n)
         k
         at
         (map2 (\x i -> (x, i)) xs (iota n))
  in (map (.0) best, map (.1) best)

entry least_turned [n] (k: i64) (at: [n]i64) (xs: [n]f32) : ([k]f32, [k]i64) =
  let least (i: i64, a: f32) (j: i64, b: f32) =
    if a < b || a == b && i < j then (i, a) else (j, b)
  let (is, as) = unzip (hist least (n, f32.inf) k at (zip (iota n) xs))
  in (as, is)

-- ==
-- entry: two_sums two_sums_apart two_sums_of_records
-- input { 3i64 [0i64, 2i64, 0i64, 2i64, 5i64] [1, 2, 3, 4, 5] [0.5f32, 1.5f32, 2f32, 1f32, 0f32] }
-- output { [4i32, 0i32, 6i32] [2.5f32, 0.0f32, 2.5f32] } structure run { launches 5 waits 1 sent 0 received 0 }
entry two_sums [n]
               (k: i64)
               (at: [n]i64)
               (xs: [n]i32)
               (ys: [n]f32) : ([k]i32, [k]f32) =
  unzip (hist (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) k at (zip xs ys))

entry two_sums_apart [n]
                     (k: i64)
                     (at: [n]i64)
                     (xs: [n]i32)
                     (ys: [n]f32) : ([k]i32, [k]f32) =
  (hist (+) 0 k at xs, hist (+) 0 k at ys)

entry two_sums_of_records
    [n]
    (k: i64)
    (at: [n]i64)
    (xs: [n]i32)
    (ys: [n]f32) : ([k]i32, [k]f32) =
  let sums =
    hist (\p q -> {x = q.x + p.x, y = p.y + q.y})
         {x = 0, y = 0}
         k
         at
         (map2 (\x y -> {x, y}) xs ys)
  in (map (.x) sums, map (.y) sums)

-- ==
-- entry: floats floats_into floats_turned
-- input { 5i64 [0, 4, 0, 4, 2, 7] [1f32, 2f32, 4f32, 8f32, 16f32, 32f32] }
-- output { [5.0f32, 0.0f32, 16.0f32, 0.0f32, 10.0f32] } structure run { launches 3 waits 1 sent 0 received 0 }
entry floats [n] (k: i64) (at: [n]i32) (xs: [n]f32) : [k]f32 =
  hist (+) 0 k (map i64.i32 at) xs

entry floats_into [n] (k: i64) (at: [n]i32) (xs: [n]f32) : [k]f32 =
  reduce_by_index (replicate k 0) (+) 0 (map i64.i32 at) xs

entry floats_turned [n] (k: i64) (at: [n]i32) (xs: [n]f32) : [k]f32 =
  hist (\a b -> b + a)
       0
       k
       (tabulate n (\i -> i64.i32 at[i]))
       (tabulate n (\i -> xs[i]))

-- ==
-- entry: bytes bytes_turned
-- input { 5i64 [0, 4, 0, 4, 2, 7] [100i8, 2i8, 100i8, 8i8, 16i8, 32i8] }
-- output { [-56i8, 0i8, 16i8, 0i8, 10i8] } structure run { launches 3 waits 1 sent 0 received 0 }
entry bytes [n] (k: i64) (at: [n]i32) (xs: [n]i8) : [k]i8 =
  hist (+) 0 k (map i64.i32 at) xs

entry bytes_turned [n] (k: i64) (at: [n]i32) (xs: [n]i8) : [k]i8 =
  hist (\a b -> b + a) 0 k (map2 (\i _ -> i64.i32 i) at xs) xs

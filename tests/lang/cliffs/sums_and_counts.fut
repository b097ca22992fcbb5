-- Rows and counts that are reduced together cost what they cost one by one.
-- ==
-- tune @ apart.tune
-- entry: together one_by_one
-- input { 3i64 [0i64, 2i64, 0i64, 5i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32], [7f32, 8f32]] }
-- output { [[6f32, 8f32], [0f32, 0f32], [3f32, 4f32]] [2i64, 0i64, 1i64] } structure run { launches 2 waits 1 }
-- input { 2i64 empty([0]i64) empty([0][3]f32) } output { [[0f32, 0f32, 0f32], [0f32, 0f32, 0f32]] [0i64, 0i64] }
-- input { 0i64 [0i64] [[1f32]] } output { empty([0][1]f32) empty([0]i64) }
entry together [n] [d]
               (k: i64)
               (at: [n]i64)
               (xs: [n][d]f32) : ([k][d]f32, [k]i64) =
  reduce_comm (\(s, c) (t, e) -> (map2 (map2 (+)) s t, map2 (+) c e))
              (replicate k (replicate d 0), replicate k 0)
              (map2 (\a x ->
                ( tabulate k (\c -> if c == a then x else replicate d 0)
                , tabulate k (\c -> i64.bool (c == a))
                )) at xs)

entry one_by_one [n] [d]
                 (k: i64)
                 (at: [n]i64)
                 (xs: [n][d]f32) : ([k][d]f32, [k]i64) =
  ( tabulate k (\c ->
    map (\col -> f32.sum (map2 (\a x -> if a == c then x else 0) at col))
        (transpose xs))
  , tabulate k (\c -> i64.sum (map (\a -> i64.bool (a == c)) at))
  )

-- The nearest centre is found once for each point, not for each sum.
-- ==
-- entry: step
-- input { [[0f32, 0f32], [4f32, 4f32]] [[1f32, 0f32], [3f32, 4f32], [0f32, 1f32]] }
-- output { [[0.5f32, 0.5f32], [3f32, 4f32]] } structure run { launches 5 waits 1 }
-- input { [[0f32, 0f32], [4f32, 4f32]] empty([0][2]f32) } output { [[0f32, 0f32], [0f32, 0f32]] }
entry step [n] [k] [d] (cs: [k][d]f32) (xs: [n][d]f32) : [k][d]f32 =
  let nearest x =
    (reduce (\(a, i) (b, j) -> if b < a then (b, j) else (a, i))
            (f32.inf, k)
            (zip (map (\c -> f32.sum (map2 (\p q -> (p - q) * (p - q)) c x)) cs)
                 (iota k))).1
  let (sums, counts) =
    reduce (\(s, c) (t, e) -> (map2 (map2 (+)) s t, map2 (+) c e))
           (replicate k (replicate d 0), replicate k 0i64)
           (map (\x ->
             let a = nearest x
             in ( tabulate k (\c ->
               if c == a then x else replicate d 0)
                , tabulate k (\c -> i64.bool (c == a))
                )) xs)
  in map2 (\s c -> map (/ f32.i64 (i64.max 1 c)) s) sums counts

-- Rows beside numbers in a scan.
-- ==
-- entry: scanned
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [1i64, 3i64, 2i64] }
-- output { [[1f32, 2f32], [4f32, 6f32], [9f32, 12f32]] [1i64, 3i64, 3i64] }
-- input { empty([0][2]f32) empty([0]i64) } output { empty([0][2]f32) empty([0]i64) }
entry scanned [n] [d]
              (xs: [n][d]f32)
              (ys: [n]i64) : ([n][d]f32, [n]i64) =
  unzip (scan (\(a, b) (c, d) -> (map2 (+) a c, i64.max b d))
              (replicate d 0, i64.lowest)
              (zip xs ys))

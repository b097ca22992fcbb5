-- Where the rows of a matrix begin, and how many elements they have, is the same in each iteration of a loop around the product: it is computed once, and the host waits for it once.

-- ==
-- tune @ loops_apart.tune
-- entry: by_offsets
-- input { [2i64, 0i64, 1i64] [1f64, 2f64, 4f64] [1i64, 2i64, 0i64] [1f64, 2f64, 3f64] 0i64 } output { [1f64, 2f64, 3f64] }
-- input { [2i64, 0i64, 1i64] [1f64, 2f64, 4f64] [1i64, 2i64, 0i64] [1f64, 2f64, 3f64] 1i64 } output { [8f64, 0f64, 4f64] }
-- input { [2i64, 0i64, 1i64] [1f64, 2f64, 4f64] [1i64, 2i64, 0i64] [1f64, 2f64, 3f64] 4i64 } output { [64f64, 0f64, 256f64] } structure run { launches 16 waits 2 sent 0 received 8 }
-- input { empty([0]i64) empty([0]f64) empty([0]i64) empty([0]f64) 2i64 } output { empty([0]f64) }
entry by_offsets [n] [m]
                 (lens: [n]i64)
                 (vals: [m]f64)
                 (cols: [m]i64)
                 (x: [n]f64)
                 (times: i64) : [n]f64 =
  let offs = map2 (-) (scan (+) 0 lens) lens
  in loop x for _i < times do
       map2 (\o l ->
               f64.sum (map (\j -> vals[o + j] * x[cols[o + j]]) (iota l)))
            offs
            lens

-- ==
-- entry: by_rows
-- input { [2i64, 0i64, 1i64] [1f64, 2f64, 4f64] [1i64, 2i64, 0i64] [1f64, 2f64, 3f64] 0i64 } output { [1f64, 2f64, 3f64] }
-- input { [2i64, 0i64, 1i64] [1f64, 2f64, 4f64] [1i64, 2i64, 0i64] [1f64, 2f64, 3f64] 4i64 } output { [64f64, 0f64, 256f64] } structure run { launches 14 waits 3 }
entry by_rows [n] [m]
              (lens: [n]i64)
              (vals: [m]f64)
              (cols: [m]i64)
              (x: [n]f64)
              (times: i64) : [n]f64 =
  let rows = segment lens (zip vals cols)
  in loop x for _i < times do
       map (\row -> f64.sum (map (\(v, c) -> v * x[c]) row)) rows

-- The loop ends when something holds, and a step inside of it has the rows of another matrix.
-- ==
-- entry: until_small
-- input { [2i64, 0i64, 1i64] [0.5f64, 0.25f64, 0.5f64] [1i64, 2i64, 0i64] [1f64, 2f64, 3f64] } output { [0.0390625f64, 0f64, 0.03125f64] 5i64 }
-- input { [1i64] [0f64] [0i64] [5f64] } output { [0f64] 1i64 }
entry until_small [n] [m]
                  (lens: [n]i64)
                  (vals: [m]f64)
                  (cols: [m]i64)
                  (x: [n]f64) : ([n]f64, i64) =
  let rows = segment lens (zip vals cols)
  in loop (x, k) = (x, 0) while f64.sum x > 0.2 do
       let y = map (\row -> f64.sum (map (\(v, c) -> v * x[c]) row)) rows
       let odd =
         map (\l -> f64.sum (map (\j -> y[j % n]) (iota (l * (k % 2))))) lens
       in (map2 (+) y odd, k + 1)

-- A failure comes in its order, and not at all if there is no iteration.
-- ==
-- entry: checked
-- input { [1i64, -1i64] [1f64, 2f64] 0i64 } output { [1f64, 2f64] }
-- input { [1i64, -1i64] [1f64, 2f64] 1i64 } error: negative
-- input { [1i64, 2i64] [1f64, 2f64] 3i64 } output { [1f64, 5f64] }
entry checked [n] (lens: [n]i64) (x: [n]f64) (times: i64) : [n]f64 =
  loop x for _i < times do
    map2 (\l a -> f64.sum (map (\j -> if j == 0 then a else x[0]) (iota l)))
         lens
         x

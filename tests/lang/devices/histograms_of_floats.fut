-- Floats in the bins of histograms are combined in the same order, however the elements are cut into parts: in blocks, whose
-- number follows from how many elements and bins there are.
-- ==
-- entry: few many rows products beside
-- script input { input 0i64 } auto output
-- script input { input 700i64 } auto output
-- script input { input 50021i64 } auto output

def number (i: i64) : f32 = f32.i64 ((i * 7919 + 13) % 10007) / 10007 - 0.3

entry input (n: i64) : ([n]i64, [n]f32) =
  (tabulate n (\i -> (i * i + 7 * i) % 1013), tabulate n number)

entry few [n] (is: [n]i64) (xs: [n]f32) : [7]f32 =
  hist (+) 0 7 (map (% 7) is) xs

-- | So many bins that parts would take longer to put these together than to fill them.
entry many [n] (is: [n]i64) (xs: [n]f32) : [5000]f64 =
  hist (+) 0 5000 (map (* 5) is) (map f64.f32 xs)

-- | Rows are combined position by position.
entry rows [n] (is: [n]i64) (xs: [n]f32) : [5][3]f32 =
  hist (map2 (+))
       (replicate 3 0)
       5
       (map (% 5) is)
       (map (\x -> [x, x * x, 1 / (x + 3)]) xs)

-- | What was in the bins before counts, too, once.
entry products [n] (is: [n]i64) (xs: [n]f32) : [6]f32 =
  reduce_by_index (replicate 6 0.7)
                  (*)
                  1
                  (map (% 6) is)
                  (map (\x -> 1 + x / 1000) xs)

-- | Sums and prefix sums of the same elements.
entry beside [n] (is: [n]i64) (xs: [n]f32) : ([9]f32, f32, [n]f32) =
  let ys = map (\x -> x * 1.7 + 0.1) xs
  in (hist (+) 0 9 (map (% 9) is) ys, f32.sum ys, scan (+) 0 ys)

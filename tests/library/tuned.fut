-- Rows whose sums are computed by a thread for each, by a group of threads for each, or element by element: a threshold decides.

entry rows [n] [m] (xss: [n][m]i64) : ([n][m]i64, []i64) =
  let sums = map (\xs -> map (* xs[m - 1]) (scan (+) 0 xs)) xss
  in (sums, filter (> 100) (map i64.sum sums))

-- | A loop over single elements, which the processor may do.
entry hash [n] (xs: [n]i64) : i64 =
  let ys = scan (+) 0 xs
  in loop h = 7 for i < n do (h * 31 + ys[i]) % 1000003

entry plain (x: i64) : i64 = x + 1

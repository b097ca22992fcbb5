-- Rows that are scanned and summed up, in one pass or in two.
-- ==
-- entry: together one_by_one uneven
-- input { 3i64 5i64 } output { true }
-- input { 3i64 3000i64 } output { true }
-- input { 700i64 70i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }

def table (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> (i * 31 + j * 7) % 11 - 4)

def agree [n] [m] (xss: [n][m]i64) (yss: [n][m]i64) (ss: [n]i64) : bool =
  and (map3 (\xs ys s ->
    and (tabulate m (\j ->
      ys[j] == xs[j] + (if j == 0 then 0 else ys[j - 1])))
    && s == (if m == 0 then 0 else ys[m - 1])) xss yss ss)

entry together (n: i64) (m: i64) : bool =
  let xss = table n m
  let (yss, ss) = unzip (map (\xs -> (scan (+) 0 xs, i64.sum xs)) xss)
  in agree xss yss ss

-- | The sum is computed first, and used.
entry one_by_one (n: i64) (m: i64) : bool =
  let xss = table n m
  let (yss, ss) =
    unzip (map (\xs ->
      let s = i64.sum xs
      in (scan (+) 0 (map (\x -> x * 2 - x + s - s) xs), s)) xss)
  in agree xss yss ss

-- | Of different lengths.
entry uneven (n: i64) (m: i64) : bool =
  let xss = map (\i -> tabulate (i * m % 100) (\j -> (i + j) % 7)) (iota n)
  let yss = map (\xs -> (scan (+) 0 xs, i64.sum xs, i64.maximum xs)) xss
  let last (ys: []i64) = if length ys == 0 then 0 else ys[length ys - 1]
  in and (map2 (\xs (ys, s, most) ->
                  last ys == s && all (<= most) xs)
               xss
               yss)

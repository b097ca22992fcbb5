-- Loops in maps that run more often for some elements than for others, and hand on rows of different lengths.
-- ==
-- entry: smoothed
-- input { [0i64, 3, 1, 5, 2, 0, 7, 1] 19i64 } output { 999070i64 }
-- input { empty([0]i64) 0i64 } output { 0i64 }
-- input { [4i64] 4i64 } output { 331121i64 }

-- ==
-- entry: halved
-- input { [1i64, 9, 30, 2, 2, 100, 0, 17] 161i64 } output { 1852072i64 }
-- input { empty([0]i64) 0i64 } output { 0i64 }

-- ==
-- entry: sieved
-- input { 50i64 } output { 23572511i64 }
-- input { 0i64 } output { 0i64 }

-- ==
-- entry: grown
-- input { 12i64 } output { 5234081i64 }

-- ==
-- entry: pairs
-- input { [2i64, 0, 5, 3, 1] 11i64 } output { 2137250i64 }

-- ==
-- entry: nested
-- input { 5i64 4i64 } output { 2675814i64 }

-- ==
-- entry: sorted_rows
-- input { [0i64, 1, 33, 70, 5, 200, 32, 64] 405i64 } output { 2756161i64 }
def number (i: i64) : i64 = (i * 7919 + 104729) % 1009

def digest [n] (xs: [n]i64) : i64 =
  i64.sum (map2 (\i x -> (x % 65537) * (i * 31 + 7) % 1000003) (iota n) xs)

-- As often as the row is long: every element becomes the mean of its neighbours.
entry smoothed [n] (lens: [n]i64) (m: i64) : i64 =
  let rows = segment lens (tabulate m number)
  let smooth [k] (xs: [k]i64) =
    loop xs for t < k do
      map (\i ->
        (xs[i64.max 0 (i - 1)] + xs[i] + xs[i64.min (k - 1) (i + 1)] + t)
        / 3) (iota k)
  in digest (map (\row -> digest (smooth row)) rows)

-- Rows become shorter until one element is left, or none.
entry halved [n] (lens: [n]i64) (m: i64) : i64 =
  let rows = segment lens (tabulate m number)
  in digest (map (\row ->
    let (rest, rounds) =
      loop (xs, rounds) = (row, 0) while length xs > 1 do
        let middle = i64.sum xs / length xs
        in (filter (< middle) xs, rounds + 1)
    in i64.sum rest * 100 + rounds) rows)

-- All rows begin alike.
entry sieved (n: i64) : i64 =
  digest (tabulate n (\i ->
    digest (loop xs = map number (iota 40)
            while length xs > i && length xs > 0 do
              filter (\x -> x % (i + 2) != 0 && x > i64.minimum xs) xs)))

-- Rows become longer; some are not changed.
entry grown (n: i64) : i64 =
  digest (tabulate n (\i ->
    let xs =
      loop xs = tabulate (i % 3) number for t < i * i % 7 do
        xs ++ map (+ t) xs ++ [t]
    in digest xs + length xs))

-- Rows of rows of one length.
entry pairs [n] (lens: [n]i64) (m: i64) : i64 =
  let rows = segment lens (tabulate m (\i -> [number i, number (i + m)]))
  let turned [k] (xs: [k][2]i64) =
    loop xs for t < k do
      map (\i -> let x = xs[(i + 1) % k] in [x[1] + t, x[0]]) (iota k)
  in digest (map (\row -> digest (flatten (turned row))) rows)

entry nested (n: i64) (m: i64) : i64 =
  digest (tabulate n (\i ->
    digest (tabulate (m + i) (\j ->
      let (xs, left) =
        loop (xs, left) = (tabulate (i + j) number, i * j % 5) while left > 0 do
          (map2 (\a b -> a * 3 + b) xs (reverse xs), left - 1)
      in digest xs + left))))

entry sorted_rows [n] (lens: [n]i64) (m: i64) : i64 =
  let rows = segment lens (tabulate m number)
  in digest (map (\row ->
    digest (sort_by (\a b ->
                       a % 100 < b % 100 || (a % 100 == b % 100 && a >= b))
                    row)) rows)

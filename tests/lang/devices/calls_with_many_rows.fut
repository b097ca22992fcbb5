-- Calls of recursive functions on many rows are shared: each device goes down the recursion with its own rows, of which all have
-- about as many elements, however different their lengths are. On the first levels, where there are few rows, devices
-- share operators.

def quicksort [n] (xs: [n]i32) : []i32 =
  if n < 2
  then xs
  else
    let pivot = xs[n / 2]
    let parts = [filter (< pivot) xs, filter (> pivot) xs]
    let sorted = map quicksort parts
    in sorted[0] ++ filter (== pivot) xs ++ sorted[1]

def number (i: i64) : i32 = i32.i64 ((i * 7919 + 13) % 1009)

-- | Few rows are long, some are empty, and the last ones are all empty.
def lengths_of (n: i64) : [n]i64 =
  tabulate n (\i ->
    if i * 8 > n * 7
    then 0
    else if i % 31 == 3
    then 200 + i % 50
    else (i * 5) % 9)

-- One array: first operators are shared, then calls.
-- ==
-- entry: one
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 1500i64 } auto output
entry one (n: i64) : []i32 = quicksort (tabulate n number)

-- Many arrays.
-- ==
-- entry: many
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 9i64 } auto output
-- input { 150i64 } auto output
entry many (n: i64) : ([n]i64, []i32) =
  let lens = lengths_of n
  let xss = segment lens (tabulate (i64.sum lens) number)
  let yss = map quicksort xss
  in (lengths yss, irregular.flatten yss)

-- Arguments that are the same for all rows, and two results of which one is a number. A part that fails ends the program as the whole would.
def weighed [n] (weights: [8]i32) (period: i64) (xs: [n]i32) : (i32, []i32) =
  if n < 2
  then (i32.sum xs * weights[n], xs)
  else
    let pivot = xs[n / 2]
    let parts = [filter (< pivot) xs, filter (> pivot) xs]
    let (sums, rows) = unzip (map (weighed weights period) parts)
    in (sums[0] - 2 * sums[1] + weights[n % period], rows[1] ++ rows[0])

-- ==
-- entry: weights
-- input { 0i64 8i64 } auto output
-- input { 40i64 8i64 } auto output
-- input { 40i64 211i64 } error: out of bounds
entry weights (n: i64) (period: i64) : ([n]i32, []i32) =
  let lens = lengths_of n
  let xss = segment lens (tabulate (i64.sum lens) number)
  let (sums, rows) =
    unzip (map (weighed (tabulate 8 (\i -> i32.i64 (i + 3))) period) xss)
  in (sums, irregular.flatten rows)

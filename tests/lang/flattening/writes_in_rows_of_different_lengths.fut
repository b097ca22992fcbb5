-- Scatters, histograms and merges of rows that have different lengths: by the elements of all rows, however long one of them is.
-- ==
-- entry: permuted
-- input { [3i64, 0i64, 2i64] [2i64, 0i64, 1i64, 1i64, 0i64] [10, 20, 30, 40, 50] }
-- output { [20, 30, 10, 50, 40] }
-- structure run { launches 10 waits 3 sent 0 received 16 }
-- input { empty([0]i64) empty([0]i64) empty([0]i32) }
-- output { empty([0]i32) }

-- ==
-- entry: outside
-- input { [3i64, 2i64] [2i64, 3i64, 0i64, -1i64, 1i64] [10, 20, 30, 40, 50] }
-- output { [30, 0, 10, 0, 50] }

-- ==
-- entry: counted
-- input { [2i64, 3i64] [4i64, 1i64] [0i64, 1i64, 4i64, 3i64, 3i64] }
-- output { [1i64, 1i64, 0i64, 0i64, 3i64] }

-- ==
-- entry: merged
-- input { [5, 2, 8, 1, 9, 2, 2] }
-- output { [1, 2, 2, 2, 5, 8, 9] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }
-- input { [1] }
-- output { [1] }

-- ==
-- entry: merged_test
-- input { 100i64 }
-- output { true }
-- compiled input { 3000i64 }
-- output { true }

entry permuted [n] [m] (lens: [n]i64) (is: [m]i64) (xs: [m]i32) : []i32 =
  irregular.flatten (map2 (\is xs ->
    let k = length xs
    in scatter (replicate k 0)
               (sized k is)
               (sized k xs)) (segment lens is) (segment lens xs))

-- What is outside of a row is not written, although another row is there.
entry outside [n] [m] (lens: [n]i64) (is: [m]i64) (xs: [m]i32) : []i32 =
  irregular.flatten (map2 (\is xs ->
    let k = length xs
    in scatter (replicate k 0)
               (sized k is)
               (sized k xs)) (segment lens is) (segment lens xs))

-- As many bins as each row says.
entry counted [n] [m] (lens: [n]i64) (bins: [n]i64) (is: [m]i64) : []i64 =
  irregular.flatten (map2 (\k is ->
                             hist (+) 0 k (map (% k) is) (map (const 1) is))
                          bins
                          (segment lens is))

def below [m] (ys: [m]i32) (x: i32) (equal: bool) : i64 =
  (loop (l, r) = (0, m)
   while l < r do
     let mid = (l + r) / 2
     in if ys[mid] < x || (equal && ys[mid] == x)
        then (mid + 1, r)
        else (l, mid)).0

def join [n] [m] (xs: [n]i32) (ys: [m]i32) : []i32 =
  let is = map2 (\i x -> i + below ys x false) (iota n) xs
  let js = map2 (\j y -> j + below xs y true) (iota m) ys
  in scatter (scatter (replicate (n + m) 0) is xs) js ys

def merge_sort [n] (xs: [n]i32) : []i32 =
  if n < 2
  then xs
  else let halves = map merge_sort ([xs[:n / 2], xs[n / 2:]] : [2][?]i32)
       in join halves[0] halves[1]

entry merged [n] (xs: [n]i32) : []i32 = merge_sort xs

entry merged_test (n: i64) : bool =
  let xs = tabulate n (\i -> i32.i64 (i * 7919 % 1009))
  in and (map2 (==) (sized n (merge_sort xs)) (sort xs))

-- Functions that call themselves several times, where no call needs another: all of them at once, at each depth.

-- Two sides of an array.
-- ==
-- entry: sorted
-- input { [9, 3, 4, 7, 1, 8, 5, 3, 3, 0] } output { [0i32, 1i32, 3i32, 3i32, 3i32, 4i32, 5i32, 7i32, 8i32, 9i32] }
-- input { [2] } output { [2i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
def quicksort (xs: []i32) : []i32 =
  if length xs <= 1
  then copy xs
  else let pivot = xs[length xs / 2]
       let less = filter (< pivot) xs
       let equal = filter (== pivot) xs
       let greater = filter (> pivot) xs
       in quicksort less ++ equal ++ quicksort greater

entry sorted [n] (xs: [n]i32) : []i32 = quicksort xs

-- ==
-- entry: sorted_rows
-- input { 9i64 } output { [4i32, 6i32, 6i32, 8i32, 8i32, 10i32, 3i32, 3i32, 3i32] }
entry sorted_rows (n: i64) : [n]i32 =
  let xs = tabulate n (\i -> i32.i64 (i * 7919 % 13))
  in tabulate n (\k -> (quicksort xs[k:])[(n - k) / 2])

-- The launches of a level do not depend on how many calls there are in it.
-- ==
-- entry: sorted_again
-- no_cpu nobench script input { 300i64 } output { true }
-- structure run { launches 194 waits 63 }
entry sorted_again (n: i64) : bool =
  let xs = quicksort (tabulate n (\i -> i32.i64 (i * 7919 % 10007)))
  in and (tabulate n (\i -> i == 0 || xs[i - 1] <= xs[i]))

-- The same array for all, numbers that differ, and several results.
-- ==
-- entry: stats
-- input { [9, 3, 4, 7, 1, 8, 5, 3, 3, 0] } output { 43i64 [12i32, 6i32, 8i32, 11i32, 5i32, 11i32, 8i32, 7i32, 7i32, 4i32] 0i32 }
def part (low: i64) (high: i64) (xs: []i32) (k: i32) : (i64, []i32, i32) =
  if high - low <= 3
  then (i64.sum (map i64.i32 xs[low:high]), map (+ k) xs[low:high], k)
  else let middle = (low + high) / 2
       let (a, some, i) = part low middle xs (k + 1)
       let (b, others, j) = part middle high xs (k * 2 % 7)
       in (a + b, some ++ others, i ^ j)

entry stats [n] (xs: [n]i32) : (i64, []i32, i32) = part 0 n xs 1

-- Three calls, with two arrays of one size.
-- ==
-- entry: thirds
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] } output { -159i64 }
-- input { [1i64] } output { 3i64 }
def third [n] (xs: [n]i64) (ys: [n]i64) : i64 =
  if n <= 2
  then i64.sum (map2 (*) xs ys)
  else let k = n / 3
       in third xs[:k] ys[:k]
          + 2 * third ys[k:2 * k] xs[k:2 * k]
          - third xs[2 * k:] (reverse ys[2 * k:])

entry thirds [n] (xs: [n]i64) : i64 = third xs (map (* 3) xs)

-- A call that needs the result of another is a call of its own.
-- ==
-- entry: one_by_one
-- input { 6i64 } output { 315i64 }
def nested (n: i64) (xs: []i64) : i64 =
  if n <= 0
  then i64.sum xs
  else let first = nested (n - 1) xs
       in first + nested (n - 2) (map (+ first % 5) xs)

entry one_by_one (n: i64) : i64 = nested n (iota n)

-- The results are overwritten.
-- ==
-- entry: overwritten
-- input { 10i64 } output { [66i64, 2i64] }
def folded (xs: []i64) : *[]i64 =
  let n = length xs
  in if n <= 2
     then map (* 2) xs
     else let left = folded xs[:n / 2]
          let right = folded xs[n / 2:]
          in left with [0] = right[0] + i64.sum left

entry overwritten (n: i64) : []i64 = folded (iota n)

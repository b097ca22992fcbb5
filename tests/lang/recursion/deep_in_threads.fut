-- Recursion that is deeper than the memory that a thread begins with.

def sum_to (n: i64) (step: i64) : i64 =
  if n <= 0 then 0 else n % 7 + sum_to (n - step) step

-- The first frames are in the thread's own memory, then in blocks that are doubled.
-- ==
-- entry: doubled
-- input { 65i64 1i64 } output { 1803i64 }
-- input { 700i64 1i64 } output { 20861i64 }
-- input { 10000i64 1i64 } output { 299850i64 }
-- input { 10000i64 9i64 } output { 33327i64 }
entry doubled (n: i64) (step: i64) : i64 =
  i64.sum (map (\i -> sum_to (n - i) step) (iota 10))

-- Some threads need much, most nothing.
-- ==
-- entry: few
-- input { 1000i64 10000i64 } output { 3502065i64 }
entry few (n: i64) (deep: i64) : i64 =
  i64.sum (map (\i -> i % 100 * sum_to (if i % 211 == 0 then deep else i % 5) 1)
               (iota n))

-- More than the heap begins with: kernels are run again. What they have written by then must not count twice.
-- ==
-- entry: exhausted
-- compiled input { 10000i64 2000i64 } output { 58505000i64 }
entry exhausted (n: i64) (deep: i64) : i64 =
  i64.sum (map (\i -> sum_to (deep - i % 100) 1) (iota n))

-- ==
-- entry: exhausted_in_place
-- compiled input { 10000i64 2000i64 } output { [2500i64, 2783i64, 3064i64, 3348i64] }
entry exhausted_in_place (n: i64) (deep: i64) : [4]i64 =
  let bins =
    hist (+)
         0
         4
         (map (\i -> sum_to (deep - i % 100) 1 % 4) (iota n))
         (replicate n 1)
  let scanned = scan (+) 0 (map (\i -> sum_to (deep - i % 50) 1 % 3) (iota n))
  let kept = filter (\i -> sum_to (deep - i % 75) 1 % 2 == 0) (iota n)
  in map (\i -> bins[i] + scanned[i * 1000] + kept[i]) (iota 4)

-- Kernels that may exhaust the memory of threads, or a region, follow each other without a wait: when the host reads something, it learns whether one has run out, and everything from that
-- one on is done again. What was changed in place is as it was before.

-- ==
-- entry: stacks
-- input { 1000 [1, 2, 3, 4] } output { [167167000i64, 167668500i64, 168171000i64, 168674500i64] }
-- structure run { waits 1 }

-- ==
-- entry: lists
-- input { 1000 [1, 2, 3, 4] } output { [500500i64, 501500i64, 502500i64, 503500i64] }
-- structure run { waits 3 }

-- ==
-- entry: long_lists
-- input { 10i64 20 } output { 2800i64 }
-- compiled input { 5000i64 300 } output { 3973500000i64 }

-- ==
-- entry: in_place
-- input { 12i64 3i64 10i64 } output { [1816i64, 2002i64, 2200i64] }
-- compiled input { 128i64 4i64 20000i64 } output { [120728125948i64, 120733296956i64, 117923015112i64] }
-- structure run { waits 1 }

-- ==
-- entry: scattered
-- input { 12i64 3i64 10i64 } auto output
-- compiled input { 128i64 4i64 20000i64 } auto output
-- structure run { waits 1 }

-- ==
-- entry: updated
-- input { 12i64 3i64 10i64 } auto output
-- compiled input { 128i64 4i64 20000i64 } auto output

-- ==
-- entry: cells_scattered
-- input { 12i64 3i64 } auto output
-- compiled input { 1000i64 40i64 } auto output

type rec list = #nil | #cons i64 list

-- | The sum of 1 to n, as deep as n.
def triangle (n: i64) : i64 = if n <= 0 then 0 else n + triangle (n - 1)

def sum (l: list) : i64 =
  match l
  case #nil -> 0
  case #cons x rest -> x + sum rest

entry stacks [n] (steps: i32) (xs: [n]i32) : [n]i64 =
  loop sums = replicate n 0 for i < steps do
    map2 (\s x -> s + triangle (i64.i32 (i + x))) sums xs

entry lists [n] (steps: i32) (xs: [n]i32) : [n]i64 =
  let lists =
    loop lists = replicate n #nil for i < steps do
      map2 (\l x -> #cons (i64.i32 (i + x)) l) lists xs
  in map sum lists

-- | A hundred times as many cells as there was room for.
entry long_lists (n: i64) (steps: i32) : i64 =
  i64.sum (lists steps (map i32.i64 (iota n)))

-- | Stacks that become too deep for the memory of threads, in a histogram that already has counts.
entry in_place (n: i64) (steps: i64) (depth: i64) : [3]i64 =
  loop counts = replicate 3 0 for i < steps do
    reduce_by_index counts
                    (+)
                    0
                    (map (% 3) (iota n))
                    (map (\x -> triangle (i * depth + x)) (iota n))

-- | The same in a scatter, whose elements are computed from those that it overwrites.
entry scattered (n: i64) (steps: i64) (depth: i64) : [n]i64 =
  loop xs = iota n for i < steps do
    let new = map (\x -> triangle (i * depth + x % 5) + x) xs
    in scatter xs (map (\j -> (j * 7) % n) (iota n)) new

-- | And where half of an array is overwritten.
entry updated (n: i64) (steps: i64) (depth: i64) : [n]i64 =
  loop xs = iota n for i < steps do
    let half = n / 2
    in xs with [0:half] = map (\x -> triangle (i * depth) + x) xs[half:2 * half]

-- | A region that becomes too small in a scatter and a histogram of what was there.
entry cells_scattered (n: i64) (steps: i64) : ([n]i64, [3]i64) =
  let (xs, counts) =
    loop (xs, counts) = (iota n, replicate 3 1) for i < steps do
      let lists =
        map (\x -> loop l = #nil for j < x % 7 + i do #cons (x + j) l) xs
      let counts =
        reduce_by_index counts (+) 0 (map (% 3) (iota n)) (map sum lists)
      let xs =
        scatter xs
                (map (\j -> (j * 7) % n) (iota n))
                (map (\l -> sum l % 1009) lists)
      in (xs, counts)
  in (xs, counts)

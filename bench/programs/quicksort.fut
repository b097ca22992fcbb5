-- Quicksort as NESL has it: both sides are sorted by the same function, at the same time, although they
-- differ in length.
-- ==
-- nobench input { [3, 1, -4, 1, 5, 9, 2, 6] } output { [-4, 1, 1, 2, 3, 5, 6, 9] }
-- nobench input { empty([0]i32) } output { empty([0]i32) }
-- nobench input { [9, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 0] }
-- output { [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 8, 8, 8, 9, 9, 9, 9] }
-- nobench script input { input 3000i64 } auto output
-- structure run { launches 287 waits 82 }
-- "10000" notest script input { input 10000i64 } output @ data/quicksort-10000.out
-- "100000" notest script input { input 100000i64 } output @ data/quicksort-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/quicksort-1000000.out

import "data"

entry input (n: i64) : [n]i32 = tabulate n (\i -> i32.u32 (number 1 i))

-- | Few elements are sorted faster one by one.
def insertion_sort [n] (xs: [n]i32) : [n]i32 =
  loop xs = copy xs for i < n do
    let x = xs[i]
    let (xs, j) =
      loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > x do
        (xs with [j] = xs[j - 1], j - 1)
    in xs with [j] = x

def quicksort (xs: []i32) : []i32 =
  if length xs <= 24
  then insertion_sort xs
  else let pivot = xs[length xs / 2]
       let less = filter (< pivot) xs
       let equal = filter (== pivot) xs
       let greater = filter (> pivot) xs
       let sorted = map quicksort [less, greater]
       in sorted[0] ++ equal ++ sorted[1]

entry main (xs: []i32) : []i32 = quicksort xs

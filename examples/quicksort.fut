-- Quicksort as one would write it on paper: the two halves are sorted by the same function, at the same
-- time, although they differ in length. The rows of an irregular array are what makes that possible.
-- ==
-- entry: sort
-- input { [3, 1, 4, 1, 5, 9, 2, 6] }
-- output { [1, 1, 2, 3, 4, 5, 6, 9] }

def quicksort (xs: []i32) : []i32 =
  if length xs < 2
  then xs
  else
    let pivot = xs[length xs / 2]
    let less = filter (< pivot) xs
    let equal = filter (== pivot) xs
    let greater = filter (> pivot) xs
    let sorted: [2][?]i32 = map (\part -> quicksort part) [less, greater]
    in sorted[0] ++ equal ++ sorted[1]

entry sort (xs: []i32) : []i32 = quicksort xs

-- | The median of each group, where the groups may be of any size but zero.
entry medians [n] (lens: [n]i64) (xs: []i32) : [n]i32 =
  map (\group -> let sorted = quicksort group in sorted[length sorted / 2])
      (segment lens xs)

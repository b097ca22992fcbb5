-- Quicksort as in the NESL papers: the parts are sorted in parallel.
-- ==
-- input { [5i32, 3i32, 9i32, 3i32, 1i32] } output { [1i32, 3i32, 3i32, 5i32, 9i32] }
-- input { empty([0]i32) } output { empty([0]i32) }

def quicksort [n] (a: [n]i32) : []i32 =
  if n < 2
  then a
  else
    let p = a[n / 2]
    let lt = filter (< p) a
    let eq = filter (== p) a
    let gt = filter (> p) a
    let r = map quicksort [lt, gt]
    in r[0] ++ eq ++ r[1]

entry main (a: []i32) : []i32 = quicksort a

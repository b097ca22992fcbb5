-- Rows of different lengths that a condition chooses: all elements at once.
-- ==
-- entry: parts
-- input { [10, 20, 30, 40] [0i64, 4i64, 2i64, 3i64] } auto output
-- input { [10, 20, 30, 40] empty([0]i64) } auto output
-- input { [10, 20, 30, 40] [1i64, 5i64] } error: slice

-- ==
-- entry: two
-- input { [5i64, 0i64, 3i64, 8i64] } auto output

-- ==
-- entry: merged
-- input { [1, 3, 5, 7, 9] [2, 3, 4, 10, 11, 12] } output { [1, 2, 3, 3, 4, 5, 7, 9, 10, 11, 12] }
-- input { empty([0]i32) [2] } output { [2] }
entry parts [n] (xs: [n]i32) (ps: []i64) : ([]i64, []i32) =
  let rows =
    map (\p ->
      if p > 2 then xs[:p] else if p == 2 then xs[p:] else [i32.i64 p, 7]) ps
  in (map length rows, irregular.flatten rows)

-- Rows beside each other, and a number.
entry two (ls: []i64) : ([]i32, []i64, []bool) =
  let rows = map (\l -> map i32.i64 (iota l)) ls
  let (a, b, c) =
    unzip3 (map (\r ->
      let m = length r / 2
      in if length r % 2 == 0
         then (r[:m], map (+ 1) (iota m), true)
         else (r[m:], iota 1, false)) rows)
  in (irregular.flatten a, irregular.flatten b, c)

def merge (a: []i32) (b: []i32) : []i32 =
  if length a < length b
  then merge b a
  else if length b == 0
  then copy a
  else if length a == 1
  then [i32.min a[0] b[0], i32.max a[0] b[0]]
  else
    let m = length a / 2
    let x = a[m]
    let j =
      (loop (lo, hi) = (0, length b) while lo < hi do
         let mid = (lo + hi) / 2
         in if b[mid] < x then (mid + 1, hi) else (lo, mid)).0
    let both =
      map (\h -> if h == 0 then merge a[:m] b[:j] else merge a[m:] b[j:])
          (iota 2)
    in irregular.flatten both

entry merged (a: []i32) (b: []i32) : []i32 = merge a b

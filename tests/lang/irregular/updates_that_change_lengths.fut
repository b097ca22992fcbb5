-- The payloads of sums are rows of different lengths, and an update may change theirs. Elsewhere rows keep their lengths, and are changed in place.

type^ shape = #circle i64 | #polygon ([]i64)

def size (s: shape) : i64 =
  match s
  case #circle r -> r
  case #polygon xs -> 100 + i64.sum xs

def shapes (n: i64) : *[n]shape =
  tabulate n (\i -> if i % 2 == 0 then #circle i else #polygon (iota i))

-- ==
-- entry: one
-- input { 6i64 0i64 3i64 } output { [103i64, 100i64, 2i64, 103i64, 4i64, 110i64] }
-- input { 6i64 5i64 3i64 } output { [0i64, 100i64, 2i64, 103i64, 4i64, 103i64] }
-- input { 6i64 1i64 0i64 } output { [0i64, 100i64, 2i64, 103i64, 4i64, 110i64] }
-- input { 1i64 0i64 4i64 } output { [106i64] }
entry one (n: i64) (at: i64) (k: i64) : [n]i64 =
  map size (shapes n with [at] = #polygon (iota k))

-- ==
-- entry: several
-- input { 6i64 0i64 [3i64, 1i64] } output { [103i64, 100i64, 2i64, 103i64, 4i64, 110i64] }
-- input { 6i64 4i64 [0i64, 2i64] } output { [0i64, 100i64, 2i64, 103i64, 100i64, 101i64] }
-- input { 6i64 2i64 empty([0]i64) } output { [0i64, 100i64, 2i64, 103i64, 4i64, 110i64] }
-- input { 6i64 -1i64 empty([0]i64) } output { [0i64, 100i64, 2i64, 103i64, 4i64, 110i64] }
entry several [m] (n: i64) (from: i64) (ks: [m]i64) : [n]i64 =
  let all = shapes n
  let new: [m]shape = map (\k -> #polygon (iota k)) ks
  in map size (all with [from:from + m] = new)

-- One after the other: the second update sees the first.
-- ==
-- entry: in_a_loop
-- input { 5i64 } output { [100i64, 101i64, 102i64, 103i64, 104i64] }
entry in_a_loop (n: i64) : [n]i64 =
  let all =
    loop all = shapes n
    for i < n do
      all with [i] = #polygon (replicate i (i64.min i 1))
  in map size all

-- Rows of pairs, which keep their lengths.
-- ==
-- entry: pairs
-- input { [2i64, 0i64, 3i64] 2i64 } output { 3i64 33i64 }
-- input { [2i64, 0i64, 3i64] 0i64 } output { 21i64 9i64 }
entry pairs [n] (lens: [n]i64) (at: i64) : (i64, i64) =
  let rows = map (\k -> tabulate k (\j -> [j, 2 * j])) lens
  let k = lens[at]
  let rows =
    rows with [at] = (tabulate k (\j -> [10, j]) :> [length rows[at]][2]i64)
  let sum i = i64.sum (flatten rows[i])
  in (sum 0, sum (n - 1))

-- All rows have one length, which is known later.
-- ==
-- entry: as_matrix
-- input { [2i64, 2i64] 2i64 } output { [[0i64, 0i64, 1i64, 2i64], [0i64, 0i64, 1i64, 2i64]] }
-- input { [2i64, 3i64] 2i64 } error: 3
-- input { [2i64, 2i64] 3i64 } error: 2
entry as_matrix [n] (lens: [n]i64) (m: i64) : [n][]i64 =
  let rows = map (\k -> tabulate k (\j -> [j, 2 * j])) lens
  in map flatten (rows :> [n][m][2]i64)

-- Rows in another order.
-- ==
-- entry: backwards
-- input { 5i64 } output { [6i64, 3i64, 1i64, 0i64, 0i64] [0i64, 3i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
entry backwards (n: i64) : ([n]i64, []i64) =
  let rows = map iota (iota n)
  let sums = map i64.sum (reverse rows)
  in (sums, map i64.sum rows[1::2])

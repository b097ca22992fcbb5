-- Loops that update an element under a condition, having read it before: whether they write only where the condition holds, or write back what was there, shows nowhere.

-- The most that a capacity holds, in one row that is gone through backwards.
-- ==
-- entry: packed
-- input { [1i64, 3i64, 4i64] [10i32, 40i32, 50i32] 7i64 }
-- output { [0i32, 10i32, 10i32, 40i32, 50i32, 60i32, 60i32, 90i32] }
-- input { empty([0]i64) empty([0]i32) 2i64 }
-- output { [0i32, 0i32, 0i32] }
-- input { [9i64] [5i32] 3i64 }
-- output { [0i32, 0i32, 0i32, 0i32] }
entry packed [n] (weights: [n]i64) (values: [n]i32) (capacity: i64) : []i32 =
  loop best = replicate (capacity + 1) 0
  for i < n do
    loop best
    for k < capacity + 1 - weights[i] do
      let c = capacity - k
      let with_it = best[c - weights[i]] + values[i]
      in if with_it > best[c] then best with [c] = with_it else best

-- The branches the other way round, and a row and a column of one matrix.
-- ==
-- entry: shortest
-- input { [[0i32, 4i32, 1i32], [9i32, 0i32, 9i32], [9i32, 1i32, 0i32]] }
-- output { [[0i32, 2i32, 1i32], [9i32, 0i32, 9i32], [9i32, 1i32, 0i32]] }
entry shortest [n] (d0: [n][n]i32) : [n][n]i32 =
  loop d = copy d0
  for k < n do
    loop d
    for i < n do
      loop d
      for j < n do
        let t = d[i, k] + d[k, j]
        in if t >= d[i, j] then d else d with [i, j] = t

-- Two elements change places, and a count goes along.
-- ==
-- entry: sorted
-- input { [3i32, 1i32, 2i32, 5i32, 4i32] }
-- output { [1i32, 2i32, 3i32, 4i32, 5i32] 3i32 }
-- input { empty([0]i32) }
-- output { empty([0]i32) 0i32 }
entry sorted [n] (a0: [n]i32) : ([n]i32, i32) =
  loop (a, swaps) = (copy a0, 0)
  for round < n do
    loop (a, swaps)
    for j < n - 1 - round do
      let (x, y) = (a[j], a[j + 1])
      in if x > y
         then (a with [j] = y with [j + 1] = x, swaps + 1)
         else (a, swaps)

-- The longest common subsequence: branches that read, in one row and in all.
-- ==
-- entry: in_one_row in_all_rows
-- input { [1u8, 2u8, 3u8, 2u8, 4u8, 1u8, 2u8] [2u8, 4u8, 3u8, 1u8, 2u8, 1u8] }
-- output { 4i32 }
-- input { empty([0]u8) [1u8] }
-- output { 0i32 }
-- input { [1u8] empty([0]u8) }
-- output { 0i32 }
entry in_one_row [n] [m] (x: [n]u8) (y: [m]u8) : i32 =
  let row =
    loop row = replicate (m + 1) 0i32
    for i < n do
      (loop (row, diagonal) = (row, 0)
       for j < m do
         let above = row[j + 1]
         let v = if x[i] == y[j] then diagonal + 1 else i32.max above row[j]
         in (row with [j + 1] = v, above)).0
  in row[m]

entry in_all_rows [n] [m] (x: [n]u8) (y: [m]u8) : i32 =
  let t =
    loop t = replicate (n + 1) (replicate (m + 1) 0i32)
    for i < n do
      loop t
      for j < m do
        t with [i + 1, j + 1] =
            if x[i] == y[j]
            then t[i, j] + 1
            else i32.max t[i, j + 1] t[i + 1, j]
  in t[n, m]

-- What a branch reads may be outside of the array where it is not chosen.
-- ==
-- entry: at_borders
-- input { [1i32, 2i32, 4i32] }
-- output { 9i32 }
-- input { empty([0]i32) }
-- output { 0i32 }
entry at_borders [n] (a: [n]i32) : i32 =
  loop sum = 0
  for i < n do
    sum + (if i > 0 then a[i - 1] else 0) + (if i + 1 < n then a[i + 1] else 0)

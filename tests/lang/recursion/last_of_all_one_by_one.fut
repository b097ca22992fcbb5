-- Functions that call themselves last of all, with one element after the other: loops in which nothing is done in parallel.

-- An array that is overwritten on the way.
-- ==
-- entry: written
-- input { [5, 6, 7, 8] } output { [10i32, 13i32, 16i32, 19i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
def fill [n] (xs: *[n]i32) (i: i64) : *[n]i32 =
  if i >= n then xs else fill (xs with [i] = xs[i] * 2 + i32.i64 i) (i + 1)

entry written [n] (xs: [n]i32) : [n]i32 = fill (copy xs) 0

-- What a call needs is checked.
-- ==
-- entry: checked
-- input { [1i64, 2i64, 0i64] 0i64 3i64 } output { 1i64 }
-- input { [1i64, 5i64, 0i64] 0i64 3i64 } error: Index 5
def follow [n] (next: [n]i64) (at: i64) (count: i64) : i64 =
  if count == 0 then next[at] else follow next next[at] (count - 1)

entry checked [n] (next: [n]i64) (at: i64) (count: i64) : i64 =
  follow next at count

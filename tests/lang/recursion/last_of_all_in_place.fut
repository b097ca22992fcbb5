-- A function that calls itself last of all and overwrites an array on the way: a loop in which nothing is done in parallel.
-- ==
-- entry: written
-- input { [5, 6, 7, 8] } output { [10i32, 13i32, 16i32, 19i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
def fill [n] (xs: *[n]i32) (i: i64) : *[n]i32 =
  if i >= n then xs else fill (xs with [i] = xs[i] * 2 + i32.i64 i) (i + 1)

entry written [n] (xs: [n]i32) : [n]i32 = fill (copy xs) 0

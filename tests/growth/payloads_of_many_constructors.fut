-- Sums with arrays in their payloads, made and taken apart in maps: constructors of like payloads share columns.
-- growth: 3 6 12
-- code: c device
type~ s = #none
-- repeat
  | #c{i} i64 ([]i64)
-- end
def mk (i: i64) : s =
  match i % {n}
-- repeat
  case {i} -> #c{i} i (iota (i % {i}))
-- end
  case _ -> #none
def value (x: s) : i64 =
  match x
  case #none -> -1
-- repeat
  case #c{i} k xs -> k * {i} + i64.sum xs
-- end
entry main (n: i64) : []i64 =
  let xs = map mk (iota n)
  in map value xs[::-1]

-- A sum of many constructors, made and taken apart in a map: payloads of one kind share a column.
-- growth: 40 80 160
-- code: device
type t = #none
-- repeat
  | #c{i} i64
-- end
def mk (i: i64) : t =
  match i
-- repeat
  case {i} -> #c{i} (i * i)
-- end
  case _ -> #none
def value (x: t) : i64 =
  match x
  case #none -> -1
-- repeat
  case #c{i} k -> k + {i}
-- end
entry main (n: i64) : []i64 = map (\i -> value (mk i)) (iota n)

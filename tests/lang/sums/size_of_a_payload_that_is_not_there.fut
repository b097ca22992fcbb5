-- The size of a payload is computed where the payload is made, and nowhere else.

type~ found = #some ([]i64) | #none

def size (f: found) : i64 =
  match f
  case #some xs -> length xs
  case #none -> -1

-- ==
-- entry: negative
-- input { 3i64 } output { 3i64 }
-- input { 0i64 } output { -1i64 }
-- input { -3i64 } output { -1i64 }
entry negative (i: i64) : i64 =
  let f: found = if i > 0 then #some (iota i) else #none
  in size f

-- ==
-- entry: in_parallel
-- input { [2i64, -3i64, 0i64] } output { [2i64, -1i64, -1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry in_parallel [n] (is: [n]i64) : [n]i64 =
  map (\i ->
    let f: found = if i > 0 then #some (iota i) else #none
    in size f) is

-- ==
-- entry: divided
-- input { 3i64 } output { 3i64 }
-- input { 0i64 } output { -1i64 }
entry divided (i: i64) : i64 =
  let f: found = if i == 0 then #none else #some (replicate (10 / i) 1)
  in size f

-- ==
-- entry: element
-- input { [3i64] 0i64 } output { 3i64 }
-- input { [3i64] 1i64 } output { -1i64 }
entry element (xs: []i64) (i: i64) : i64 =
  let f: found = if i < length xs then #some (iota xs[i]) else #none
  in size f

-- Nor is there room for it.
-- ==
-- entry: large
-- input { 3i64 } output { 3i64 }
-- input { 1000000000000000i64 } output { -1i64 }
entry large (i: i64) : i64 =
  let f: found = if i < 10 then #some (iota i) else #none
  in size f

-- ==
-- entry: two_payloads
-- input { 3i64 } output { 3i64 }
-- input { -4i64 } output { 104i64 }
entry two_payloads (i: i64) : i64 =
  let f: #up ([]i64) | #down ([]i64) =
    if i > 0 then #up (iota i) else #down (iota (-i))
  in match f
     case #up xs -> length xs
     case #down xs -> 100 + length xs

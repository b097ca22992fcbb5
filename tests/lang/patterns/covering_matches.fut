-- Matches that cover every value, each in its own way.
-- ==
-- entry: pairs
-- input { true false } output { 1 }
-- input { false true } output { 2 }
-- input { false false } output { 3 }

entry pairs (a: bool) (b: bool) : i32 =
  match (a, b)
  case (true, _) -> 1
  case (_, true) -> 2
  case (false, false) -> 3

type shape2 = #left (i32, bool) | #right
type shape = #point | #box {w: i32, h: i32} | #pair shape2

-- ==
-- entry: nested
-- input { 0 } output { 0 }
-- input { 1 } output { 1 }
-- input { 2 } output { 12 }
-- input { 3 } output { 7 }
-- input { 4 } output { 8 }
-- input { 5 } output { 9 }
entry nested (k: i32) : i32 =
  let s: shape =
    if k == 0
    then #point
    else if k == 1
    then #box {w = 0, h = 5}
    else if k == 2
    then #box {w = 3, h = 4}
    else if k == 3
    then #pair (#left (7, true))
    else if k == 4
    then #pair (#left (7, false))
    else #pair #right
  in match s
     case #point -> 0
     case #box {w = 0, h = _} -> 1
     case #box {w, h} -> w * h
     case #pair (#left (x, true)) -> x
     case #pair (#left (x, false)) -> x + 1
     case #pair #right -> 9

type rec list = #nil | #cons i32 list

def pairwise (l: list) : i32 =
  match l
  case #nil -> 0
  case #cons x #nil -> x
  case #cons x (#cons y rest) -> x * y + pairwise rest

-- ==
-- entry: deep
-- input { 2 3 5 } output { 11 }
entry deep (a: i32) (b: i32) (c: i32) : i32 =
  pairwise (#cons a (#cons b (#cons c #nil)))

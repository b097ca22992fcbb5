-- ==
-- input { 3 } output { 3 }
-- input { -3 } output { 0 }

type maybe = #none | #some i32

def value (m: maybe) : i32 =
  match m
  case #none -> 0
  case #some x -> x

def main (x: i32) : i32 = value (if x > 0 then #some x else #none)

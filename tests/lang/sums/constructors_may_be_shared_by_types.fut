-- ==
-- input { true } output { 1 2 }

type small = #a | #b
type large = #a | #b | #c

def of_small (x: small) : i32 =
  match x
  case #a -> 1
  case #b -> 2

def of_large (x: large) : i32 =
  match x
  case #a -> 2
  case #b -> 3
  case #c -> 4

def main (c: bool) : (i32, i32) =
  if c then (of_small #a, of_large #a) else (of_small #b, of_large #c)

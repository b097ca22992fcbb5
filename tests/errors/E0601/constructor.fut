type t = #a | #b bool | #c

def f (x: t) =
  match x
  case #a -> 1i32
  case #b true -> 2

type t = #a | #b i32

def f (x: t) : i32 =
  match x
  case #a -> 1
  case #b n -> n
  case #d -> 2

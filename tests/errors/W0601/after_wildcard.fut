type t = #a | #b

def main (x: t) : i32 =
  match x
  case _ -> 1
  case #a -> 2

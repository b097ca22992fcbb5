type t = #a i32 | #b (bool, bool)

def main (x: t) : i32 =
  match x
  case #a _ -> 0
  case #b (true, _) -> 1
  case #b (false, true) -> 2

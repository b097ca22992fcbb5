type rec list = #nil | #cons i32 list

def main (l: list) : i32 =
  match l
  case #nil -> 0
  case #cons x _ -> x
  case _ -> 2

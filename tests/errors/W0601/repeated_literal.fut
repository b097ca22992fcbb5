def main (k: i32) : i32 =
  match k
  case 0 -> 1
  case 0 -> 2
  case _ -> 3

def main (k: i32) : i32 =
  match k
  case 0 -> 1
  case 1 -> 2

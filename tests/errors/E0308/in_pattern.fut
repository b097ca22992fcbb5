def f (x: u8) =
  match x
  case 256 -> true
  case _ -> false

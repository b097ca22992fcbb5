def f (x: i32) =
  match x
  case _ -> 1i32
  case 1 -> 2

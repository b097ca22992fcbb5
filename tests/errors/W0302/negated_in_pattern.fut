-- The same holds in a pattern.
def f (x: i8) : bool =
  match x
  case 0x1ffi8 -> true
  case _ -> false

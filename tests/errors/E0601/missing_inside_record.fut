def main (x: {on: bool, level: i32}) : i32 =
  match x
  case {on = true, level = _} -> 1
  case {on = false, level = 0} -> 2

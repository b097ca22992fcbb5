def main (x: f64) : i32 =
  match x
  case 0.0 -> 0
  case 1.0 -> 1

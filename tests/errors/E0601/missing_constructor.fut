type colour = #red | #green | #blue

def main (c: colour) : i32 =
  match c
  case #red -> 1
  case #green -> 2

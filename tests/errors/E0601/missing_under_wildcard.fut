-- The wildcard stands in one component only.
type t = #a | #b | #c

def main (x: t) (y: t) : i32 =
  match (x, y)
  case (#a, #a) -> 1
  case (_, #b) -> 2
  case (#b, _) -> 3

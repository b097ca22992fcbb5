-- Only a few examples are given.
type t = #a | #b | #c | #d | #e | #f | #g | #h

def main (x: t) : i32 =
  match x
  case #a -> 1

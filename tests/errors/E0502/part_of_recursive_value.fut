-- Recursive values may be shared, so nothing inside them is consumed.
type rec rope = #leaf ([]f32) | #node rope rope

def clear (r: *rope) : rope =
  match r
  case #leaf xs -> #leaf (xs with [0] = 0)
  case #node a b -> #node a b

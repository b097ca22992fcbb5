-- An array taken out of a recursive value is copied before it is updated.
-- ==
-- input { [1, 2] } output { [9, 2] [1, 2] }

type rec tree = #leaf ([2]i32) | #node tree tree

def first (t: tree) : [2]i32 =
  match t
  case #leaf xs -> xs
  case #node l _ -> first l

def main (xs: [2]i32) : ([2]i32, [2]i32) =
  let t = #node (#leaf xs) (#leaf xs)
  let ys = copy (first t)
  in (ys with [0] = 9, first t)

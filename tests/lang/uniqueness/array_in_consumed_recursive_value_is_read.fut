-- What a recursive value refers to outlives it.
-- ==
-- input { [1, 2] } output { 2 }

type rec tree = #leaf ([2]i32) | #node tree tree

def first (t: *tree) : [2]i32 =
  match t
  case #leaf xs -> xs
  case #node _ _ -> [0, 0]

def main (xs: [2]i32) : i32 =
  let t: tree = #leaf xs
  let ys = first t
  in ys[0] + xs[0]

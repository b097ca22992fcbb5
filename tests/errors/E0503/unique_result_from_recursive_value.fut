type rec tree = #leaf ([2]i32) | #node tree tree

def main (t: *tree) : *[2]i32 =
  match t
  case #leaf xs -> xs
  case #node _ _ -> [0, 0]

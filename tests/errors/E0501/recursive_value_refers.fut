type rec tree = #leaf ([2]i32) | #node tree tree

def main (xs: *[2]i32) : (tree, [2]i32) =
  let t : tree = #leaf xs
  let xs[0] = 1
  in (t, xs)

type rec tree = #leaf ([2]i32) | #node tree tree
def mk (xs: [2]i32) : []tree = [#leaf xs]
def main (xs: *[2]i32) : (tree, [2]i32) =
  let t = (mk xs)[0]
  let xs[0] = 1
  in (t, xs)

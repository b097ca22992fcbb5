type tree = #leaf | #node i64 tree tree

def depth (t: tree): i64 =
  match t
  case #leaf -> 0
  case #node _ l r -> 1 + i64.max (depth l) (depth r)

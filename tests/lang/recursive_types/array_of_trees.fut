-- ==
-- input { [1i64, 2i64, 5i64] } output { [1i64, 2i64, 5i64] }

type rec tree = #leaf i64 | #node tree tree

def build (n: i64) : tree =
  if n < 2 then #leaf n else #node (build (n / 2)) (build (n - n / 2))

def leaves (t: tree) : []i64 =
  match t
  case #leaf x -> [x]
  case #node left right -> leaves left ++ leaves right

entry main [n] (ns: [n]i64) : [n]i64 =
  let trees: [n]tree = map build ns
  let rows: [n][?]i64 = map leaves trees
  in map i64.sum rows

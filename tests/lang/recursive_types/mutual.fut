-- ==
-- input { } output { 6i32 }

type rec tree = #node i32 forest
with type forest = #none | #some tree forest

def sum_tree (t: tree) : i32 =
  match t
  case #node x f -> x + sum_forest f
with def sum_forest (f: forest) : i32 =
  match f
  case #none -> 0
  case #some t rest -> sum_tree t + sum_forest rest

entry main : i32 =
  sum_tree (#node 1 (#some (#node 2 #none) (#some (#node 3 #none) #none)))

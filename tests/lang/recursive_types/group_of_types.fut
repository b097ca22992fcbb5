type rec tree = #tree i32 forest
with type forest = #none | #some tree forest

def sum_tree (t: tree) : i32 =
  match t
  case #tree x below -> x + sum_forest below
with def sum_forest (f: forest) : i32 =
  match f
  case #none -> 0
  case #some t rest -> sum_tree t + sum_forest rest

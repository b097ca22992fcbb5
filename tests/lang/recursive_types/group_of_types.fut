type rec tree = #tree i32 forest
with type forest = #none | #some tree forest

def sum_tree (t: tree) : i32 =
  match t
  case #tree x below -> x + sum_forest below
with def sum_forest (f: forest) : i32 =
  match f
  case #none -> 0
  case #some t rest -> sum_tree t + sum_forest rest

-- ==
-- entry: of_three
-- input { 1 20 300 } output { 321 }
entry of_three (x: i32) (y: i32) (z: i32) : i32 =
  sum_tree (#tree x (#some (#tree y #none) (#some (#tree z #none) #none)))

-- ==
-- entry: of_one
-- input { 7 } output { 7 }
entry of_one (x: i32) : i32 = sum_tree (#tree x #none)

-- A chain of trees, each the only one below the last.
-- ==
-- entry: of_chain
-- input { 0 } output { 0 }
-- input { 100 } output { 5050 }
entry of_chain (n: i32) : i32 =
  sum_tree (loop t = #tree 0 #none for i < n do #tree (i + 1) (#some t #none))

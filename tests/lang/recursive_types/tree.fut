type rec tree = #leaf f32 | #node tree tree

def total (t: tree) : f32 =
  match t
  case #leaf x -> x
  case #node l r -> total l + total r

def build (depth: i64) (x: f32) : tree =
  if depth == 0
  then #leaf x
  else #node (build (depth - 1) x) (build (depth - 1) (x + 1))

-- ==
-- entry: totals
-- input { [0f32, 1.5f32] } output { [12f32, 24f32] }
-- input { empty([0]f32) } output { empty([0]f32) }
entry totals [n] (xs: [n]f32) : [n]f32 = map (\x -> total (build 3 x)) xs

entry forest [n] (xs: [n]f32) : [n]tree = map (build 2) xs

-- ==
-- entry: totals_of_forest
-- script input { forest [0f32, 1.5f32] } output { [4f32, 10f32] }
entry totals_of_forest [n] (ts: [n]tree) : [n]f32 = map total ts

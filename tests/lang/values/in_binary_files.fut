-- Trees, sums and rows of different lengths in files, in binary.
-- ==
-- entry: mirrored
-- input @ data/forest.bin output @ data/mirrored.bin
-- input { [#leaf, #node (#node #leaf 1 #leaf) 2 #leaf] }
-- output { [#leaf, #node #leaf 2 (#node #leaf 1 #leaf)] }

-- ==
-- entry: areas
-- input @ data/shapes.bin output { [4.0f32, 0.0f32, 6.0f32] }

-- ==
-- entry: reversed
-- input @ data/rows.bin output @ data/reversed.bin
-- input @ data/matrix.bin output { [[2i64, 1i64], [4i64, 3i64]] }

type rec tree = #leaf | #node tree i32 tree
type shape = #square f32 | #nothing | #rectangle {w: f32, h: f32}

def mirror (t: tree) : tree =
  match t
  case #leaf -> #leaf
  case #node l x r -> #node (mirror r) x (mirror l)

def area (s: shape) : f32 =
  match s
  case #square a -> a * a
  case #nothing -> 0
  case #rectangle {w, h} -> w * h

entry mirrored [n] (ts: [n]tree) : [n]tree = map mirror ts
entry areas [n] (ss: [n]shape) : [n]f32 = map area ss
entry reversed [n] (xss: [n][?]i64) : [n][?]i64 = map reverse xss
entry same_shapes [n] (ss: [n]shape) : [n]shape = ss
entry same_trees [n] (ts: [n]tree) : [n]tree = ts
entry same_rows [n] (xss: [n][?]i64) : [n][?]i64 = xss

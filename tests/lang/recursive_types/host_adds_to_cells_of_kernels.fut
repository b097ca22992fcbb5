-- The host of a device adds cells to a region in which kernels have made many: these stay on the device, and only the new ones are sent there.
-- ==
-- input { 10i64 } output { [10i64, 11i64, 12i64] }
-- compiled input { 20000i64 } output { [10i64, 11i64, 12i64] }
-- structure run { sent 64 }

type rec tree = #leaf i64 | #node tree tree

def make (depth: i64) (x: i64) : tree =
  if depth == 0
  then #leaf x
  else #node (make (depth - 1) x) (make (depth - 1) (x + 1))

def leftmost (t: tree) : i64 =
  match t
  case #leaf x -> x
  case #node l _ -> leftmost l

def rightmost (t: tree) : i64 =
  match t
  case #leaf x -> x
  case #node _ r -> rightmost r

entry main (n: i64) : [3]i64 =
  let trees = map (make 4) (iota n)
  let all = loop all = trees[1] for i < 4 do #node all trees[i + 2]
  in map (\i -> leftmost all + rightmost all + i) (iota 3)

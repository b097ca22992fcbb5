-- Trees and lists that the elements of a map make and use: each has a region of its own, which grows.
-- ==
-- entry: trees
-- input { 10i64 } output { 449i64 }
-- compiled input { 10000i64 } output { 310139000i64 }
-- compiled input { 1000000i64 } output { 3100013900000i64 }

type rec tree = #leaf i64 | #node tree tree

def make (d: i64) (x: i64) : tree =
  if d == 0 then #leaf x else #node (make (d - 1) (x + 1)) (make (d - 1) x)

def sum (t: tree) : i64 =
  match t
  case #leaf x -> x
  case #node l r -> sum l + sum r

entry trees (n: i64) : i64 = i64.sum (map (\i -> sum (make (i % 5) i)) (iota n))

-- A chain of so many nodes, to the left or to the right, is deeper than any stack that is set aside for a thread.
-- ==
-- entry: deep
-- input { 3i64 1000i64 } output { [1001i64, 1003i64, 1005i64] }
-- compiled input { 4i64 100000i64 } output { [100001i64, 100003i64, 100005i64, 100007i64] }
def chain (n: i64) : tree =
  loop t = #leaf 1 for i < n do
    if i % 2 == 0 then #node t (#leaf 1) else #node (#leaf 1) t

entry deep (n: i64) (depth: i64) : [n]i64 =
  map (\i -> sum (chain (depth + 2 * i))) (iota n)

-- Regions begin and end in every iteration.
-- ==
-- entry: again_and_again
-- input { 3i64 10i64 } output { 270i64 }
-- compiled input { 100i64 1000i64 } output { 2522475000i64 }
def upto (n: i64) : tree = loop t = #leaf 0 for i < n do #node (#leaf i) t

entry again_and_again (n: i64) (k: i64) : i64 =
  i64.sum (map (\i -> loop s = 0 for _j < i + 1 do s + sum (upto k)) (iota n))

-- Arrays of trees go into parallel operators and come out of them.

type rec tree = #empty | #node tree i64 tree

def leaf (x: i64) : tree = #node #empty x #empty

-- Search trees: what is less goes to the left, what is equal is there already.
def insert (x: i64) (t: tree) : tree =
  match t
  case #empty -> leaf x
  case #node l y r ->
    if x < y
    then #node (insert x l) y r
    else if x > y
    then #node l y (insert x r)
    else t

def from_array (xs: []i64) : tree = loop t = #empty for x in xs do insert x t

def size (t: tree) : i64 =
  match t
  case #empty -> 0
  case #node l _ r -> size l + 1 + size r

def height (t: tree) : i64 =
  match t
  case #empty -> 0
  case #node l _ r -> 1 + i64.max (height l) (height r)

def to_array (t: tree) : []i64 =
  match t
  case #empty -> []
  case #node l x r -> to_array l ++ [x] ++ to_array r

def mirror (t: tree) : tree =
  match t
  case #empty -> #empty
  case #node l x r -> #node (mirror r) x (mirror l)

def union (s: tree) (t: tree) : tree =
  loop u = s for x in to_array t do insert x u

def parts [n] (xss: [n][?]i64) : ([n]i64, []i64) =
  (lengths xss, irregular.flatten xss)

-- Trees are returned from one map and sent into others.
-- ==
-- entry: measures
-- input { [4i64, 0i64, 1i64, 3i64] [2i64, 1i64, 3i64, 2i64, 9i64, 1i64, 2i64, 3i64] }
-- output { [3i64, 0i64, 1i64, 3i64] [2i64, 0i64, 1i64, 3i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry measures [n] (lens: [n]i64) (xs: []i64) : ([n]i64, [n]i64) =
  let trees = map from_array (segment lens xs)
  in (map size trees, map height trees)

-- A map that takes trees and returns trees.
-- ==
-- entry: mirrored
-- input { [3i64, 0i64, 2i64] [2i64, 1i64, 3i64, 5i64, 4i64] }
-- output { [3i64, 0i64, 2i64] [3i64, 2i64, 1i64, 5i64, 4i64] true }
-- input { [1i64] [7i64] } output { [1i64] [7i64] true }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) true }
entry mirrored [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64, bool) =
  let trees = map from_array (segment lens xs)
  let others = map mirror trees
  let (sizes, elements) = parts (map to_array others)
  in (sizes, elements, map mirror others == trees)

-- A reduction whose operator takes and returns trees.
-- ==
-- entry: union_of_all
-- input { [3i64, 0i64, 2i64, 1i64] [5i64, 1i64, 3i64, 4i64, 3i64, 9i64] } output { [1i64, 3i64, 4i64, 5i64, 9i64] }
-- input { [2i64] [8i64, 7i64] } output { [7i64, 8i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry union_of_all [n] (lens: [n]i64) (xs: []i64) : []i64 =
  to_array (reduce union #empty (map from_array (segment lens xs)))

-- A scan over trees: the sizes of the unions so far.
-- ==
-- entry: unions_so_far
-- input { [3i64, 0i64, 2i64, 1i64] [5i64, 1i64, 3i64, 4i64, 3i64, 9i64] } output { [3i64, 3i64, 4i64, 5i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry unions_so_far [n] (lens: [n]i64) (xs: []i64) : [n]i64 =
  map size (scan union #empty (map from_array (segment lens xs)))

-- Trees are chosen by what they contain.
-- ==
-- entry: larger_than
-- input { 1i64 [3i64, 0i64, 2i64, 1i64] [5i64, 1i64, 3i64, 4i64, 3i64, 9i64] } output { [3i64, 2i64] [1i64, 3i64, 5i64, 3i64, 4i64] }
-- input { 3i64 [3i64] [5i64, 1i64, 3i64] } output { empty([0]i64) empty([0]i64) }
entry larger_than [n] (least: i64) (lens: [n]i64) (xs: []i64) : ([]i64, []i64) =
  let trees = filter (\t -> size t > least) (map from_array (segment lens xs))
  in parts (map to_array trees)

-- Trees of an array are replaced: one by its mirror image, one by a tree that has it as a part.
-- ==
-- entry: updated
-- input { 4i64 1i64 2i64 } output { [1i64, 2i64, 5i64, 4i64] [0i64, 1i64, 0i64, 2i64, 1i64, 0i64, 7i64, 0i64, 0i64, 1i64, 2i64, 3i64] }
-- input { 1i64 0i64 0i64 } output { [3i64] [0i64, 7i64, 0i64] }
-- input { 4i64 4i64 2i64 } error: Index 4 is out of bounds
-- input { 4i64 1i64 -1i64 } error: Index -1 is out of bounds
entry updated (n: i64) (i: i64) (j: i64) : ([n]i64, []i64) =
  let trees = map (\k -> from_array (iota (k + 1))) (iota n)
  let trees = trees with [i] = mirror trees[i]
  let old = copy trees[j]
  let trees =
    trees with [j] = #node (mirror old) 7 (if n == 1 then old else trees[0])
  in parts (map to_array trees)

-- Several trees are replaced at once, and others are scattered.
-- ==
-- entry: replaced
-- input { [10i64, 20i64, 30i64, 40i64] } output { [0i64, 1i64, 30i64, 40i64] [99i64, 20i64, 98i64, 40i64] }
-- input { [10i64, 20i64] } output { [0i64, 1i64] [99i64, 20i64] }
-- input { [10i64] } error:
entry replaced [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  let root (t: tree) : i64 =
    match t
    case #empty -> -1
    case #node _ x _ -> x
  let trees = map leaf xs
  let sliced = copy trees with [0:2] = [leaf 0, leaf 1]
  let scattered =
    scatter (copy trees) [0, 2, -1, n] [leaf 99, leaf 98, leaf 97, leaf 96]
  in (map root sliced, map root scattered)

-- Trees and arrays of trees in one another: a tree whose nodes have any number of parts.
type rec rose = #rose i64 ([]rose)

def grow (depth: i64) (x: i64) : rose =
  #rose x
        (if depth == 0
         then []
         else map (\i -> grow (depth - 1) (x + i)) (iota (x + 1)))

def total (t: rose) : i64 =
  match t
  case #rose x parts -> x + i64.sum (map total parts)

def doubled (t: rose) : rose =
  match t
  case #rose x parts -> #rose (2 * x) (map doubled parts)

-- ==
-- entry: roses
-- input { 2i64 [0i64, 1i64, 2i64] } output { [0i64, 16i64, 68i64] [0i64, 32i64, 136i64] }
-- input { 0i64 [5i64] } output { [5i64] [10i64] }
-- input { 3i64 empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry roses [n] (depth: i64) (xs: [n]i64) : ([n]i64, [n]i64) =
  let trees = map (grow depth) xs
  in (map total trees, map total (map doubled trees))

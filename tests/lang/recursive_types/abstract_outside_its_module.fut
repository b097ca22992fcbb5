-- ==
-- input { } output { 2i64 }

module type tree = {
  type t
  val leaf : t
  val node : t -> t -> t
  val size : t -> i64
}

module tree : tree = {
  type rec t = #leaf | #node t t
  def leaf : t = #leaf
  def node (a: t) (b: t) : t = #node a b

  def size (x: t) : i64 =
    match x
    case #leaf -> 1
    case #node a b -> size a + size b
}

def main : i64 = tree.size (tree.node tree.leaf tree.leaf)

-- A full tree has twice as many leaves at each depth.
-- ==
-- entry: sizes
-- input { 5i64 } output { [1i64, 2i64, 4i64, 8i64, 16i64] }
-- input { 0i64 } output { empty([0]i64) }
entry sizes (n: i64) : [n]i64 =
  map (\depth ->
    tree.size (loop t = tree.leaf for _i < depth do tree.node t t)) (iota n)

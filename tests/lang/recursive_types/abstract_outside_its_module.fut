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

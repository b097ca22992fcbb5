type rec tree = #leaf | #node tree i32 tree

type shape = #circle f32 | #rectangle {width: f32, height: f32} | #nothing

def from (lo: i32) (hi: i32) : tree =
  if lo >= hi
  then #leaf
  else let mid = (lo + hi) / 2
       in #node (from lo mid) mid (from (mid + 1) hi)

entry rows (n: i64) : [n][?]i64 = map iota (iota n)

entry tree (n: i32) : tree = from 0 n

entry shapes : []shape =
  [#circle 1.5, #rectangle {width = 1, height = -2}, #nothing]

entry record : {name: []u8, at: (i32, f64), tags: []shape} =
  {name = "ab", at = (-1, 2.5), tags = []}

entry same (t: tree) (s: []shape) : (tree, []shape) = (t, s)

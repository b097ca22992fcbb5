-- Values of recursive types are written as constructors in constructors.
-- ==
-- entry: mirror
-- input { #node #leaf 3 (#node #leaf 4 #leaf) }
-- output { #node (#node #leaf 4 #leaf) 3 #leaf }
-- input { #leaf }
-- output { (#leaf) }

-- ==
-- entry: mirror_all
-- input { [#leaf, #node #leaf (-1) #leaf] }
-- output { [#leaf, #node #leaf (-1) #leaf] }
-- input { [] }
-- output { empty([0]tree) }

-- ==
-- entry: ints
-- input { #cons 1 (#cons 2 #nil) }
-- output { #cons 2 (#cons 1 #nil) }

-- ==
-- entry: floats
-- input { #cons 1 (#cons 2 #nil) }
-- output { #cons 2.0 (#cons 1.0 #nil) }

-- ==
-- entry: rose
-- input { #branch {name = "a", marks = [[1, 2], [3, 4]]} [#branch {name = "b", marks = []} []] }
-- output { #branch {name = "a", marks = [[1, 2], [3, 4]]} [#branch {name = "b", marks = []} []] }

-- ==
-- entry: count_to
-- input { 3i64 }
-- output { #cons 3 (#cons 2 (#cons 1 #nil)) }
type rec tree = #leaf | #node tree i32 tree

type rec list 'a = #nil | #cons a (list a)

type rec rose = #branch {name: []u8, marks: [][]i32} ([]rose)

def flip (t: tree) : tree =
  match t case #leaf -> #leaf case #node l x r -> #node (flip r) x (flip l)

def onto 'a (xs: list a) (ys: list a) : list a =
  match xs case #nil -> ys case #cons x rest -> onto rest (#cons x ys)

entry mirror (t: tree) : tree = flip t

entry mirror_all [n] (ts: [n]tree) : [n]tree = map flip ts

entry ints (xs: list i32) : list i32 = onto xs #nil

entry floats (xs: list f64) : list f64 = onto xs #nil

entry rose (r: rose) : rose = r

entry count_to (n: i64) : list i64 =
  loop xs = #nil for i < n do #cons (i + 1) xs

-- ==
-- input { 3i64 3i64 } output { true }
-- input { 3i64 4i64 } output { false }

type rec list 'a = #nil | #cons (a, bool) (list a)

def up_to (n: i64) : list i64 =
  loop l = #nil : list i64 for i < n do #cons (i, true) l

entry main (n: i64) (m: i64) : bool = up_to n == up_to m

-- An array backwards has the length of the array: nothing is checked, and it leaves a branch that does not change it.
-- ==
-- input { [1, 2, 3] } output { [2i64, 6i64, 2i64] }
-- input { empty([0]i32) } output { empty([0]i64) }
-- structure nest { check 0 if/fused 0 if/reduce 0 }
entry main [n] (vs: [n]i32) : [n]i64 =
  map (\i -> if i % 3 == 1 then i64.sum (map i64.i32 (reverse vs)) else 2)
      (iota n)

-- Rows of one element are combined, as the operator knows and what it combines does not.
-- ==
-- input { 2i64 [[1], [5], [3]] } output { [5i32] }
-- input { 0i64 empty([0][1]i32) } output { [-2147483648i32] }
type rec list = #none | #some i32 list

def build (k: i64) : list = if k <= 0 then #none else #some 1 (build (k - 1))

def fold 'a (f: a -> i32 -> a) (z: a) (l: list) : a =
  match l
  case #none -> z
  case #some x rest -> f (fold f z rest) x

entry main [n] (k: i64) (xss: [n][1]i32) : [1]i32 =
  reduce (map2 i32.max) (replicate 1 i32.lowest) (fold (\acc _ -> copy acc) xss (build k))

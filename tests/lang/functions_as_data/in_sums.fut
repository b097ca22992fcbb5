-- ==
-- input { 5i64 } output { [6i64, 3i64] }

def run (x: #function (i64 -> i64) | #constant i64) (y: i64) : i64 =
  match x
  case #function f -> f y
  case #constant c -> c

entry main (y: i64) : [2]i64 =
  map (\x -> run x y) [#function (+ 1), #constant 3]

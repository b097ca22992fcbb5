-- ==
-- input { true } output { 3i64 }
-- input { false } output { 6i64 }

def choose (b: bool) (square: [2][3]i64) : [2][?]i64 =
  if b then [[1], [2, 3]] else square

def by_match (k: i32) (square: [2][3]i64) : [2][?]i64 =
  match k
  case 0 -> square
  case 1 -> [[1], [2, 3]]
  case _ -> [[], []]

entry main (b: bool) : i64 =
  i64.sum (lengths (choose b [[1, 2, 3], [4, 5, 6]]))

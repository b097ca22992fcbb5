-- ==
-- input { 3i64 } output { 6f32 }

type rec rope = #leaf ([]f32) | #node rope rope

type rec other_spelling = #leaf ([?]f32) | #node other_spelling other_spelling

def sum (r: rope) : f32 =
  match r
  case #leaf xs -> f32.sum xs
  case #node a b -> sum a + sum b

def count (r: other_spelling) : i64 =
  match r
  case #leaf xs -> length xs
  case #node a b -> count a + count b

entry main (n: i64) : f32 = sum (#node (#leaf (replicate n 1)) (#leaf [1, 2]))

-- A function taken out of an array has forgotten the row size of the matrix it captured; the other branch
-- has not.
-- ==
-- input { true [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { false [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
entry main [n] [m] (b: bool) (xs: [n][m]i32) : [n][m]i32 =
  (if b then ([\(_: i32) -> xs][0]) else (\_ -> xs)) 1

-- The rows of a copy may be updated in parallel.
-- ==
-- input { [[1, 2], [3, 4]] } output { [[9, 2], [9, 4]] }

def main (xss: [][2]i32) : [][2]i32 =
  map (\xs -> copy xs with [0] = 9) xss

-- ==
-- input { 3i64 } output { 0i64 3i64 }

def width [n] [m] (_: [n][m]i32) : i64 = m

def main (m: i64) : (i64, i64) =
  let none: [0][m]i32 = []
  in (length none, width none)

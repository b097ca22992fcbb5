-- ==
-- input { [1, 2] } output { 1i64 }

def main [n] (row: [n]i32) : i64 =
  let rows: [][n]i32 = [] ++ [row]
  in length rows

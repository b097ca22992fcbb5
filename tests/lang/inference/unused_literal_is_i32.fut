-- ==
-- input { } output { 3i32 }

def main : i32 =
  let three = 1 + 2
  in three

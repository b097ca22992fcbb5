-- ==
-- input { 3 } output { 13 }

def offset = 100i32

def main (x: i32) : i32 =
  let offset = 10
  in x + offset

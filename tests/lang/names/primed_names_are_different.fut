-- ==
-- input { 1 } output { 6 }

def main (x: i32) : i32 =
  let x' = x + 1
  let x'' = x' + 1
  in x + x' + x''

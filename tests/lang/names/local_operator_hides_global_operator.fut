-- ==
-- input { 3 4 } output { 25 7 }

def main (a: i32) (b: i32): (i32, i32) =
  let squares =
    let (+) (x: i32) (y: i32) = x * x i32.+ y * y
    in a + b
  in (squares, a + b)

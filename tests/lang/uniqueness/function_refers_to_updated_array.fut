-- A function may refer to what was made by consuming something.
-- ==
-- input { [5, 2] } output { 3 }

def main (xs: *[]i32) : i32 =
  let f =
    let ys = xs with [0] = 1
    in \(i: i64) -> ys[i]
  in f 0 + f 1

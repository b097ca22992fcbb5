-- ==
-- input { 10 [1, 2, 3] } output { [11, 12, 13] }

def main (k: i32) (xs: []i32) : []i32 =
  let add (x: i32) = x + k
  let k = 1000i32
  in if k > 0 then map add xs else xs

-- ==
-- input { 0 [1, 2] } output { [9, 2] }
-- input { 5 [1, 2] } output { [1, 2] }

def main (k: i32) (xs: *[]i32) : *[]i32 =
  match k
  case 0 -> xs with [0] = 9
  case 1 -> xs with [1] = 9
  case _ -> xs

-- An anonymous size of a parameter can differ from call to call.
-- ==
-- input { [3, 5, 0, 2] } output { [2] }

def shrink (xs: []i32) : []i32 =
  if length xs < 2
  then xs
  else shrink (filter (> 0) (map (\x -> x - 1) xs))

def main (xs: []i32) = shrink xs

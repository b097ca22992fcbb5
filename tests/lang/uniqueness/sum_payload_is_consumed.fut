-- ==
-- input { [1, 2] } output { [9, 2] }

type opt = #some ([2]i32) | #none

def zero (x: *opt) : *[2]i32 =
  match x
  case #some xs -> xs with [0] = 9
  case #none -> [0, 0]

def main (xs: *[2]i32) : *[2]i32 = zero (#some xs)

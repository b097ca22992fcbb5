type opt = #some ([2]i32) | #none

def main (xs: *[2]i32) : [2]i32 =
  let o : opt = #some xs
  let xs[0] = 1
  in match o
     case #some ys -> [xs[0], ys[0]]
     case #none -> [0, 0]

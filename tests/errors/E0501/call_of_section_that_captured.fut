def main (xs: *[2]i32) : bool =
  let same = (== xs)
  let xs[0] = 1
  in same [1, 2] && xs[0] == 1

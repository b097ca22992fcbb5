-- A caller that consumed the result would consume xs each time.
def main (xs: *[]i32) : []i32 =
  let f (_: i32) : *[]i32 = xs
  in f 0

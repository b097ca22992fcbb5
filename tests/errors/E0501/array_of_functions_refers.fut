-- An array of functions refers to what they captured.
def main (xs: *[]i32) : i32 =
  let fs = [\(i: i64) -> xs[i]]
  let xs[0] = 1
  in fs[0] 0 + xs[0]

-- A function aliases what it captured.
def main (xs: *[]i32) : i32 =
  let first () = xs[0]
  let xs[0] = 1
  in first () + xs[0]

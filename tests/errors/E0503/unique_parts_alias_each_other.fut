def main (n: i64) : (*[]i64, *[]i64) =
  let xs = iota n
  in (xs, xs)

-- Two parts of a result that is not unique may be the same array.
def twice (n: i64) : ([]i64, []i64) =
  let xs = iota n
  in (xs, xs)

def main (n: i64) : ([]i64, []i64) =
  let (as, bs) = twice n
  let as[0] = 1
  in (as, bs)

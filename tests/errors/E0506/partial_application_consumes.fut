-- f could be called twice, and would consume xs twice.
def set (xs: *[]i32) (i: i64) : *[]i32 = xs with [i] = 1

def main (xs: *[]i32) : []i32 =
  let f = set xs
  in f 0

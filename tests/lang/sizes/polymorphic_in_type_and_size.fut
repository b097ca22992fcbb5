-- ==
-- input { [1, 2, 3] [true, false] } output { [3, 2, 1] [false, true] }

def backwards [n] 'a (xs: [n]a) : [n]a = map (\i -> xs[n - 1 - i]) (iota n)

def main (xs: []i32) (bs: []bool) : ([]i32, []bool) =
  (backwards xs, backwards bs)
